import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ProblemError } from '#domain/base/problem.ts'
import { checkKey } from '#services/accounts/check-key.ts'
import type { ApiKeyStore } from '#services/accounts/api-key-store.ts'
import { createAccountKey, type StoredAccount } from '#services/accounts/account-key.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { problemOf } from '../../support/problem-of.ts'

const address = 'https://service.example'

/** A service that knows some keys, a keychain and a file; `start()` again is a restart of the app. */
function world() {
  const users = new Map([
    ['first-key-of-the-user', { id: 1, email: 'ada@example.com' }],
    ['second-key-of-the-user', { id: 1, email: 'ada@example.com' }],
  ])
  const secrets = new Map<string, string>()
  const origins = new Map<string, string>()
  const disk: { account: StoredAccount | null } = { account: null }
  let keychain: 'available' | 'locked' | 'unavailable' = 'available'
  const keys: ApiKeyStore = {
    read: (id, origin) => {
      if (keychain !== 'available') return Promise.resolve({ kind: keychain, detail: '' })
      const keptFor = origins.get(id) ?? origin
      if (keptFor !== origin) return Promise.resolve({ kind: 'elsewhere', origin: keptFor })
      const value = secrets.get(id)
      return Promise.resolve(value === undefined ? { kind: 'missing' } : { kind: 'found', value })
    },
    keep: (id, { apiKey, origin }, keepIn) => {
      if (keepIn === 'keychain' && keychain === 'locked')
        return Promise.reject(new ProblemError({ kind: 'keychain-locked', detail: '' }))
      if (keepIn === 'memory' || keychain === 'unavailable') return Promise.resolve({ keptIn: 'memory' })
      secrets.set(id, apiKey)
      origins.set(id, origin)
      return Promise.resolve({ keptIn: 'keychain' })
    },
    forget: (id) => {
      if (secrets.has(id) && keychain === 'locked')
        return Promise.reject(new ProblemError({ kind: 'keychain-locked', detail: '' }))
      return Promise.resolve(void secrets.delete(id))
    },
  }
  const requests: string[] = []
  let ids = 0
  const start = () => {
    const options = {
      fetch: (url: unknown, init?: RequestInit) => {
        const authorization = new Headers(init?.headers).get('authorization') ?? ''
        requests.push(`${String(url)} ${authorization}`)
        const user = users.get(authorization.replace('Bearer ', ''))
        return Promise.resolve(
          user ? Response.json(user) : Response.json({ error: 'auth', msg: 'bad key' }, { status: 401 }),
        )
      },
      clock: new FakeClock(),
      random: () => 0,
      remember: () => undefined,
    }
    const account = createAccountKey({
      ...options,
      keys,
      file: { read: () => disk.account, write: (next) => Promise.resolve(void (disk.account = next)) },
      randomId: () => `account-${++ids}`,
      log: memoryLog(),
    })
    const connect = async ({ keepIn, ...typed }: Request) =>
      account.use(await checkKey(typed, options), keepIn)
    return { ...account, connect }
  }
  return {
    start,
    secrets,
    disk,
    requests,
    users,
    setKeychain: (state: typeof keychain) => (keychain = state),
  }
}

interface Request {
  readonly serviceAddress: string
  readonly apiKey: string
  readonly keepIn: 'keychain' | 'memory'
}
const request: Request = { serviceAddress: address, apiKey: 'first-key-of-the-user', keepIn: 'keychain' }

describe('connecting', () => {
  test('checks the key, keeps it, and shows only a mask of it', async () => {
    const { start, disk, secrets } = world()
    const account = start()
    await account.connect(request)
    expect(account.state.value).toMatchObject({ kind: 'connected', user: { email: 'ada@example.com' } })
    expect(JSON.stringify([account.state.value, disk])).not.toContain('first-key')
    expect([...secrets.values()]).toEqual(['first-key-of-the-user'])
  })

  test('a wrong key is not kept, and the account before stays', async () => {
    const { start, secrets } = world()
    const account = start()
    await account.connect(request)
    const before = account.state.value
    await expect(account.connect({ ...request, apiKey: 'wrong' })).rejects.toMatchObject({
      problem: { kind: 'key-refused' },
    })
    expect(account.state.value).toBe(before)
    expect(secrets.size).toBe(1)
  })

  test('a key is never sent to an address that is not https', async () => {
    const { start, requests } = world()
    await expect(
      start().connect({ ...request, serviceAddress: 'http://service.example' }),
    ).rejects.toMatchObject({ problem: { kind: 'invalid-input', field: 'serviceAddress' } })
    expect(requests).toEqual([])
  })

  test('a locked keychain refuses; the user may then choose memory, which a restart forgets', async () => {
    const { start, setKeychain, disk } = world()
    setKeychain('locked')
    const account = start()
    await expect(account.connect(request)).rejects.toMatchObject({ problem: { kind: 'keychain-locked' } })
    await account.connect({ ...request, keepIn: 'memory' })
    expect(account.state.value).toMatchObject({ keyKeptIn: 'memory' })
    expect(disk.account).toBeNull()
    expect(start().state.value).toEqual({ kind: 'none' })
  })

  test('memory for this run leaves what is kept for the next: it is there when the keychain is open again', async () => {
    const { start, setKeychain, secrets } = world()
    await start().connect(request)
    setKeychain('locked')
    const account = start()
    await account.connect({ ...request, apiKey: 'second-key-of-the-user', keepIn: 'memory' })
    setKeychain('available')
    const later = start()
    await later.check()
    expect(later.state.value).toMatchObject({ user: { id: 1 }, problem: null })
    await account.connect(request)
    expect([...secrets]).toEqual([['account-3', 'first-key-of-the-user']])
  })

  test('signing out with a kept key that is locked is refused: it would stay behind', async () => {
    const { start, setKeychain, secrets, disk } = world()
    await start().connect(request)
    const account = start()
    setKeychain('locked')
    await account.connect({ ...request, keepIn: 'memory' })
    await expect(account.forget()).rejects.toMatchObject({ problem: { kind: 'keychain-locked' } })
    expect(account.state.value).toMatchObject({ kind: 'connected', keyKeptIn: 'memory' })
    setKeychain('available')
    await account.forget()
    expect({ state: account.state.value, secrets: secrets.size, disk }).toEqual({
      state: { kind: 'none' },
      secrets: 0,
      disk: { account: null },
    })
  })

  test('another key of the same account takes its place: the old one is gone from the keychain', async () => {
    const { start, secrets, disk } = world()
    const account = start()
    await account.connect(request)
    await account.replaceKey({ apiKey: 'second-key-of-the-user', keepIn: 'keychain' })
    expect([...secrets.values()]).toEqual(['second-key-of-the-user'])
    expect(secrets.has(disk.account?.keyId ?? '')).toBe(true)
    expect(account.state.value).toMatchObject({ serviceAddress: address, userId: 1, problem: null })
  })

  test('a key of somebody else is named as that, and changes nothing', async () => {
    const { start, secrets, users } = world()
    users.set('key-of-somebody-else', { id: 2, email: 'eve@example.com' })
    const account = start()
    await account.connect(request)
    const before = account.state.value
    await expect(
      account.replaceKey({ apiKey: 'key-of-somebody-else', keepIn: 'keychain' }),
    ).rejects.toMatchObject({
      problem: { field: 'apiKey', fault: { code: 'other-account', id: 2, email: 'eve@example.com' } },
    })
    expect(account.state.value).toBe(before)
    expect([...secrets.values()]).toEqual(['first-key-of-the-user'])
  })

  test('two at once leave one account and one secret', async () => {
    const { start, secrets, disk } = world()
    const account = start()
    await Promise.all([
      account.connect(request),
      account.connect({ ...request, apiKey: 'second-key-of-the-user' }),
    ])
    expect([...secrets]).toEqual([[disk.account?.keyId, 'second-key-of-the-user']])
  })

  test('replacing the key leaves one secret', async () => {
    const { start, secrets } = world()
    const account = start()
    await account.connect(request)
    await account.connect({ ...request, apiKey: 'second-key-of-the-user' })
    expect([...secrets.values()]).toEqual(['second-key-of-the-user'])
  })
})

describe('after a restart', () => {
  test('the account is there, and a check says who it is', async () => {
    const { start } = world()
    await start().connect(request)
    const account = start()
    await account.check()
    expect(account.state.value).toMatchObject({ kind: 'connected', user: { id: 1 }, problem: null })
  })

  test.each([
    ['locked', 'keychain-locked'],
    ['unavailable', 'keychain-unavailable'],
  ] as const)('a keychain that is %s is said, and the account is kept', async (state, kind) => {
    const { start, setKeychain, disk } = world()
    await start().connect(request)
    setKeychain(state)
    const account = start()
    await account.check()
    expect(account.state.value).toMatchObject({ kind: 'connected', problem: { kind } })
    expect(disk.account).not.toBeNull()
  })

  test('a revoked key is said', async () => {
    const { start, users } = world()
    await start().connect(request)
    users.clear()
    const account = start()
    await account.check()
    expect(account.state.value).toMatchObject({ problem: { kind: 'key-refused' } })
  })

  test('signing out leaves nothing', async () => {
    const { start, secrets, disk } = world()
    const account = start()
    await account.connect(request)
    await account.forget()
    expect({ state: account.state.value, secrets: secrets.size, disk }).toEqual({
      state: { kind: 'none' },
      secrets: 0,
      disk: { account: null },
    })
  })
})

test('once it is forgotten, nothing is sent', async () => {
  const { start, requests } = world()
  const account = start()
  await account.connect({ serviceAddress: address, apiKey: 'first-key-of-the-user', keepIn: 'keychain' })
  const session = account.httpOfSession('session-canary')
  await account.forget()
  const before = requests.length
  const destroy = { method: 'DELETE', path: '/x/', reply: z.unknown(), repeatable: false } as const
  for (const http of [account.http, session]) await expect(http.send(destroy)).rejects.toThrow('no-account')
  expect(requests).toHaveLength(before)
})

describe('an address that was changed outside of Slipway', () => {
  const ask = { method: 'GET', path: '/x/', reply: z.unknown(), repeatable: false } as const

  test.each([
    ['https://elsewhere.example', address],
    ['http://127.0.0.1:9', address],
    ['https://service.example:444', address],
    // Nobody could have typed these: the keychain is not even asked.
    ['http://service.example', null],
    ['ftp://service.example', null],
  ])('%s gets neither the key nor a session, and that is said', async (changed, keyIsFor) => {
    const { start, disk, requests } = world()
    await start().connect(request)
    if (disk.account === null) throw new Error('It was not kept')
    disk.account = { ...disk.account, serviceAddress: changed }
    const before = requests.length
    const account = start()
    await account.check()
    const problem = { kind: 'address-changed', address: changed, keyIsFor }
    expect(account.state.value).toMatchObject({ problem })
    for (const call of [
      account.http.send(ask),
      account.httpOfSession('session-canary').send(ask),
      account.replaceKey({ apiKey: 'second-key-of-the-user', keepIn: 'keychain' }),
    ])
      expect(await problemOf(call)).toEqual(problem)
    expect(requests).toHaveLength(before)

    // With the right address and the key again, it is the account as before.
    await account.connect(request)
    await account.check()
    expect(account.state.value).toMatchObject({ serviceAddress: address, problem: null })
    const restarted = start()
    await restarted.check()
    expect(restarted.state.value).toMatchObject({ serviceAddress: address, problem: null })
  })

  test('another path at the same origin is asked: it is the same service that gets the key', async () => {
    const { start, disk, requests } = world()
    await start().connect(request)
    if (disk.account === null) throw new Error('It was not kept')
    disk.account = { ...disk.account, serviceAddress: `${address}/api` }
    await start().check()
    expect(requests.at(-1)).toMatch(/^https:\/\/service\.example\/api\/.* Bearer first-key/)
  })
})
