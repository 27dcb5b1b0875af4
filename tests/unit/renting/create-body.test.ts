import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { rentOptions, type RentOptions } from '#domain/renting/rent-request.ts'
import { createBody, previewBody, withLatestHash } from '#services/renting/create-body.ts'

const options: RentOptions = {
  image: 'pytorch/pytorch',
  templateHashId: null,
  diskGb: 16,
  env: {},
  onstart: null,
  volume: null,
  extraFilters: {},
  addSshKey: false,
}
const key = { line: 'ssh-ed25519 AAAA slipway', algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' }
const compress = (text: string): string => gzipSync(text).toString('base64')

const bodyOf = (change: Partial<RentOptions>) => createBody({ ...options, ...change }, key, compress)

test('only what was asked for is sent', () => {
  expect(bodyOf({})).toEqual({ image: 'pytorch/pytorch', disk: 16 })
  expect(bodyOf({ image: null, templateHashId: 'abc' })).toEqual({ template_hash_id: 'abc', disk: 16 })
})

test('a template that was edited since is named by the hash that it has now', () => {
  const latest = (hash: string): string => (hash === 'of-before' ? 'of-now' : hash)
  const body = bodyOf({ image: null, templateHashId: 'of-before' })
  expect(withLatestHash(body, latest)).toEqual({ template_hash_id: 'of-now', disk: 16 })
  expect(withLatestHash(bodyOf({}), latest)).toEqual(bodyOf({}))
})

test('variables and ports are sent as they are', () => {
  const env = { GREETING: `it's "two" words`, '-p 8080:80/udp': '1' }
  expect(bodyOf({ env }).env).toEqual(env)
})

test('extra filters are sent as they are, and none where there are none', () => {
  const extraFilters = { gpu_ram: { gte: 24_000 }, geolocation: { in: ['DE', 'FR'] } }
  expect(bodyOf({ extraFilters }).extra_filters).toEqual(extraFilters)
  expect(bodyOf({})).not.toHaveProperty('extra_filters')
})

test('what was kept before there were extra filters has none', () => {
  const { extraFilters: _none, ...before } = options
  expect(rentOptions.parse(before)).toEqual(options)
})

test.each([
  [
    { kind: 'link', volumeId: 7, mountPath: '/data' },
    { create_new: false, volume_id: 7, mount_path: '/data' },
  ],
  [
    { kind: 'create', volumeOfferId: 9, sizeGb: 50, mountPath: '/data' },
    { create_new: true, volume_id: 9, size: 50, mount_path: '/data' },
  ],
] as const)('a volume: %j', (volume, sent) => {
  expect(bodyOf({ volume }).volume_info).toEqual(sent)
})

describe('the start script', () => {
  test('takes the key in', () => {
    expect(bodyOf({ addSshKey: true }).onstart).toContain(key.line)
  })

  test('without a key to add, nothing is sent', () => {
    expect(() => createBody({ ...options, addSshKey: true }, null, compress)).toThrow(
      expect.objectContaining({ problem: { kind: 'rental-refused', reason: { code: 'no-ssh-key' } } }),
    )
  })

  test('an empty one is sent only where it takes the place of a template’s', () => {
    expect(bodyOf({ onstart: '' })).not.toHaveProperty('onstart')
    expect(bodyOf({ onstart: '', templateHashId: 'abc' }).onstart).toBe('')
  })

  test('is packed beyond the limit, key included', () => {
    const preview = previewBody({ ...options, onstart: 'x'.repeat(4048), addSshKey: true }, key, compress)
    expect(preview.isOnstartPacked).toBe(true)
    expect(preview.body.onstart).toHaveLength(preview.onstartCharacters)
    expect(preview.onstartCharacters).toBeLessThan(1000)
  })

  test('that no packing makes short enough is shown with its length, and refused', () => {
    const onstart = randomBytes(10_000).toString('base64')
    expect(previewBody({ ...options, onstart }, key, compress).onstartCharacters).toBeGreaterThan(4048)
    expect(() => bodyOf({ onstart })).toThrow(
      expect.objectContaining({
        problem: {
          kind: 'rental-refused',
          reason: { code: 'script-too-long', characters: expect.any(Number), limit: 4048 },
        },
      }),
    )
  })
})

test.each([
  [{ image: null }, 'image'],
  [{ env: { '--privileged': '1' } }, 'env'],
  [{ env: { '-p 8000-8002:8000-8002': '1' } }, 'env'],
  [{ env: { 'A=B': '1' } }, 'env'],
  [{ diskGb: 0 }, 'diskGb'],
  [{ volume: { kind: 'link', volumeId: 7, mountPath: 'data' } }, 'volume'],
])('what the service could not take is refused at the edge: %j', (change, field) => {
  const parsed = rentOptions.safeParse({ ...options, ...change })
  expect(parsed.error?.issues[0]?.path[0]).toBe(field)
})
