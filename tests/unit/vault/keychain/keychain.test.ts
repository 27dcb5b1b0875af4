import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  createKeychain,
  type Keychain,
  decodeEntry,
  encodeEntry,
  largestValueBytes,
} from '#services/vault/keychain/keychain.ts'
import fc from 'fast-check'
import { FakeClock } from '../../../support/fake-clock.ts'
import { fakeBackend, type FakeBackend } from './fake-backend.ts'

const deadlineMs = 10_000

function setUp(): { backend: FakeBackend; clock: FakeClock; keychain: Keychain } {
  const backend = fakeBackend()
  const clock = new FakeClock()
  return { backend, clock, keychain: createKeychain({ backend, clock, deadlineMs }) }
}

describe('reading', () => {
  test('finds what was written', async () => {
    const { keychain } = setUp()
    await expect(keychain.write('apikey/1', { n: 1 })).resolves.toEqual({ kind: 'written' })
    await expect(keychain.read('apikey/1', z.object({ n: z.number() }))).resolves.toEqual({
      kind: 'found',
      value: { n: 1 },
    })
  })

  test('says absent only of an open keychain, and leaves no probe behind', async () => {
    const { backend, keychain } = setUp()
    await expect(keychain.read('apikey/1', z.string())).resolves.toEqual({ kind: 'absent' })
    expect([...backend.entries.keys()]).toEqual([])
  })

  test('of a locked keychain is not absent', async () => {
    const { backend, keychain } = setUp()
    backend.mode = 'locked'
    await expect(keychain.read('apikey/1', z.string())).resolves.toMatchObject({ kind: 'locked' })
    expect(keychain.state.value.kind).toBe('locked')
  })

  test('notices that the keychain was locked while it looked', async () => {
    const { backend, keychain } = setUp()
    await keychain.write('apikey/1', 'x')
    let looks = 0
    const lockedAtFirst = createKeychain({
      backend: {
        ...backend,
        get: (account) => {
          looks += 1
          return looks === 1 ? Promise.resolve(null) : backend.get(account)
        },
      },
      clock: new FakeClock(),
      deadlineMs,
    })
    await expect(lockedAtFirst.read('apikey/1', z.string())).resolves.toEqual({ kind: 'found', value: 'x' })
  })

  test('of no keychain says why there is none', async () => {
    const { backend, keychain } = setUp()
    backend.mode = 'broken'
    await expect(keychain.read('apikey/1', z.string())).resolves.toEqual({
      kind: 'unavailable',
      detail: 'Cannot autolaunch D-Bus without X11 $DISPLAY',
    })
  })

  test('of an entry in an unknown form is unavailable, while the keychain is not', async () => {
    const { backend, keychain } = setUp()
    backend.entries.set('apikey/1', 'v9.something')
    await expect(keychain.read('apikey/1', z.string())).resolves.toMatchObject({ kind: 'unavailable' })
    expect(keychain.state.value).toEqual({ kind: 'available' })
    expect(backend.entries.get('apikey/1')).toBe('v9.something')
  })
})

describe('writing', () => {
  test('reads back what it wrote', async () => {
    const { backend } = setUp()
    const forgetful = createKeychain({
      backend: { ...backend, set: () => Promise.resolve() },
      clock: new FakeClock(),
      deadlineMs,
    })
    await expect(forgetful.write('apikey/1', 'x')).resolves.toMatchObject({ kind: 'unavailable' })
    const mangling = createKeychain({
      backend: { ...backend, set: (account, value) => backend.set(account, value.slice(0, -1)) },
      clock: new FakeClock(),
      deadlineMs,
    })
    await expect(mangling.write('apikey/1', 'x')).resolves.toMatchObject({ kind: 'unavailable' })
  })

  test('of too much writes nothing', async () => {
    const { backend, keychain } = setUp()
    await expect(keychain.write('apikey/1', 'x'.repeat(2000))).resolves.toEqual({ kind: 'too-long' })
    expect(backend.calls).toEqual([])
  })

  test('to a locked keychain says so and changes nothing', async () => {
    const { backend, keychain } = setUp()
    await keychain.write('apikey/1', 'old')
    const before = new Map(backend.entries)
    backend.mode = 'locked'
    await expect(keychain.write('apikey/1', 'new')).resolves.toMatchObject({ kind: 'locked' })
    expect(backend.entries).toEqual(before)
  })
})

describe('removing', () => {
  test('is done once it is gone, also when there was nothing', async () => {
    const { backend, keychain } = setUp()
    await keychain.write('apikey/1', 'x')
    await expect(keychain.remove('apikey/1')).resolves.toEqual({ kind: 'removed' })
    await expect(keychain.remove('apikey/1')).resolves.toEqual({ kind: 'removed' })
    expect(backend.entries.size).toBe(0)
  })

  test('from a locked keychain is not done', async () => {
    const { backend, keychain } = setUp()
    backend.mode = 'locked'
    await expect(keychain.remove('apikey/1')).resolves.toMatchObject({ kind: 'locked' })
  })
})

describe('a keychain that does not answer', () => {
  test('is unavailable at the deadline, not before', async () => {
    const { backend, clock, keychain } = setUp()
    backend.mode = 'hanging'
    let answer: unknown = null
    const reading = keychain.read('apikey/1', z.string()).then((value) => (answer = value))
    await clock.advance(deadlineMs - 1)
    expect(answer).toBeNull()
    await clock.advance(1)
    await reading
    expect(answer).toMatchObject({ kind: 'unavailable', detail: expect.stringContaining('10 s') })
    expect(keychain.state.value.kind).toBe('unavailable')
  })

  test('is not asked for more meanwhile, and nothing is written once nobody waits', async () => {
    const { backend, clock, keychain } = setUp()
    backend.mode = 'hanging'
    const answers = Promise.all([
      keychain.read('apikey/1', z.string()),
      keychain.write('apikey/2', 'x'),
      keychain.remove('apikey/3'),
    ])
    await clock.advance(deadlineMs)
    expect((await answers).map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable'])
    expect(backend.calls).toEqual(['get apikey/1'])
    backend.release()
    await clock.advance(0)
    expect(backend.calls.filter((call) => !call.includes('canary'))).toEqual(['get apikey/1', 'get apikey/1'])
  })

  test('is available again as soon as it answers', async () => {
    const { backend, clock, keychain } = setUp()
    backend.mode = 'hanging'
    const checking = keychain.check()
    await clock.advance(deadlineMs)
    await expect(checking).resolves.toMatchObject({ kind: 'unavailable' })
    backend.release()
    await clock.advance(0)
    expect(keychain.state.value).toEqual({ kind: 'available' })
    await keychain.write('apikey/1', 'x')
    await expect(keychain.read('apikey/1', z.string())).resolves.toEqual({ kind: 'found', value: 'x' })
  })
})

describe('the state', () => {
  test('is never available before the keychain has shown that it is', () => {
    expect(setUp().keychain.state.value.kind).toBe('unavailable')
  })

  test('follows each check', async () => {
    const { backend, keychain } = setUp()
    const kinds: string[] = []
    for (const mode of ['open', 'locked', 'broken', 'open'] as const) {
      backend.mode = mode
      kinds.push((await keychain.check()).kind)
    }
    expect(kinds).toEqual(['available', 'locked', 'unavailable', 'available'])
  })

  test('is set only when it changes: who reads on each change does not run in circles', async () => {
    const { backend, keychain } = setUp()
    backend.mode = 'locked'
    await keychain.check()
    const { value } = keychain.state
    await keychain.read('apikey/1', z.string())
    expect(keychain.state.value).toBe(value)
  })

  test('is unavailable when the keychain does not keep what it is given', async () => {
    const { backend } = setUp()
    const forgetful = createKeychain({
      backend: { ...backend, set: () => Promise.resolve() },
      clock: new FakeClock(),
      deadlineMs,
    })
    await expect(forgetful.check()).resolves.toMatchObject({ kind: 'unavailable' })
  })
})

test('operations do not run into each other: the last of many writes is what stays', async () => {
  const { keychain } = setUp()
  await Promise.all([1, 2, 3, 4, 5].map((n) => keychain.write('apikey/1', n)))
  await expect(keychain.read('apikey/1', z.number())).resolves.toEqual({ kind: 'found', value: 5 })
})

describe('the value of an entry', () => {
  test('comes back as it was, and is one line of plain ASCII whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (secret) => {
        const text = encodeEntry({ secret })
        expect(text).toMatch(/^v1\.[A-Za-z0-9_-]+$/)
        expect(decodeEntry(text ?? '', z.object({ secret: z.string() }))).toEqual({ value: { secret } })
      }),
    )
  })

  test('is refused from the first byte over the limit', () => {
    // 1797 bytes of JSON, two of them quotes, become 2396 of base64url; with `v1.` that is 2399.
    expect(encodeEntry('x'.repeat(1795))).toHaveLength(2399)
    expect(encodeEntry('x'.repeat(1796))).toBeNull()
    expect(largestValueBytes).toBeLessThan(2560)
  })

  test.each([
    ['a later form', 'v2.eyJzZWNyZXQiOiJ4In0'],
    ['no form at all', 'hunter2'],
    ['no JSON', 'v1.____'],
    ['another shape', `v1.${Buffer.from('{"other":1}').toString('base64url')}`],
    ['nothing', ''],
  ])('is not read when it is of %s', (_, text) => {
    expect(decodeEntry(text, z.object({ secret: z.string() }))).toBeNull()
  })
})
