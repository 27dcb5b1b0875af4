import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { openOfferLists } from '#services/offers/offer-lists.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const machine = { kind: 'machine', id: 7, title: 'RTX 4090' } as const

async function open(path: string) {
  let made = 0
  const lists = await openOfferLists({
    path,
    clock: new FakeClock(),
    randomId: () => `id-${++made}`,
    onNotice: () => undefined,
  })
  return { lists }
}

test('marks and searches are there at the next start', async () => {
  const path = join(await temporaryFolder(), 'offer-lists.json')
  const { lists } = await open(path)
  await Promise.all([
    lists.mark('blocked', machine),
    lists.mark('favorites', { kind: 'host', id: 3, title: 'a host' }),
    lists.saveSearch({ id: null, name: 'cheap', query: defaultOfferQuery }),
  ])
  const { lists: again } = await open(path)
  expect(again.latest.value).toEqual(lists.latest.value)
  expect(again.latest.value).toMatchObject({
    favorites: [{ kind: 'host', id: 3 }],
    blocked: [{ kind: 'machine', id: 7, title: 'RTX 4090', at: Date.UTC(2026, 0, 1) }],
    searches: [{ id: 'id-1', name: 'cheap', query: defaultOfferQuery }],
  })
  await again.unmark('blocked', machine)
  await again.removeSearch('id-1')
  expect(again.latest.value).toMatchObject({ blocked: [], searches: [] })
})

test('what cannot be written is not shown as done', async () => {
  const folder = await temporaryFolder()
  const { lists } = await open(join(folder, 'offer-lists.json'))
  await lists.mark('blocked', machine)
  expect(await readFile(join(folder, 'offer-lists.json'), 'utf8')).toContain('RTX 4090')
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await expect(lists.unmark('blocked', machine)).rejects.toMatchObject({
    problem: { kind: 'storage-failed' },
  })
  expect(lists.latest.value.blocked).toHaveLength(1)
})
