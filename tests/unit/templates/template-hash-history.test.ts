import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  latestHash,
  withLatestHashes,
  withNewHash,
  type TemplateHashes,
} from '#services/templates/template-hash-history.ts'

test('every hash that a template ever had leads to the one it has now, also when edits are taken back', () => {
  const hash = fc.constantFrom('a', 'b', 'c', 'd', '__proto__')
  fc.assert(
    fc.property(hash, fc.array(hash, { maxLength: 12 }), (first, edits) => {
      let hashes: TemplateHashes = {}
      let now = first
      for (const next of edits) {
        hashes = withNewHash(hashes, now, next)
        now = next
      }
      for (const ever of [first, ...edits]) expect(latestHash(hashes, ever)).toBe(now)
      expect(latestHash(hashes, 'never seen')).toBe('never seen')
    }),
  )
})

test('a search asks for what the hash ids in it have become, and for nothing else anew', () => {
  const hashes = withNewHash({}, 'old', 'new')
  const followed = (filters: Parameters<typeof withLatestHashes>[0]) =>
    withLatestHashes(filters, (hash) => latestHash(hashes, hash))
  expect(
    followed({
      hash_id: { eq: 'old', in: ['other', 'old', 7], neq: null },
      name: { eq: 'old' },
    }),
  ).toEqual({ hash_id: { eq: 'new', in: ['other', 'new', 7], neq: null }, name: { eq: 'old' } })
  expect(followed({ name: { eq: 'old' } })).toEqual({ name: { eq: 'old' } })
})

test('they do not grow without end, and the newest are kept', () => {
  let hashes: TemplateHashes = {}
  for (let edit = 0; edit < 1100; edit += 1) hashes = withNewHash(hashes, `h${edit}`, `h${edit + 1}`)
  expect(Object.keys(hashes).length).toBeLessThanOrEqual(1000)
  expect(latestHash(hashes, 'h1050')).toBe('h1100')
})
