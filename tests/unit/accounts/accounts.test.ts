import { describe, expect, test } from 'vitest'
import { type AccountState, user as userRecord } from '#domain/accounts/account.ts'
import type { SignOutEffects } from '#domain/accounts/accounts.ts'
import { Latest } from '#domain/base/latest.ts'
import { ProblemError } from '#domain/base/problem.ts'
import { PageRequests } from '#services/workbench/page-requests.ts'
import { Accounts } from '#services/accounts/accounts.ts'
import { identityOf } from '#services/accounts/check-key.ts'
import type { AccountToOpen, NewKey } from '#services/accounts/open-account-key.ts'
import type { AmongAccounts } from '#services/accounts/opened-account.ts'
import type { KeptAccounts } from '#services/accounts/accounts-file.ts'
import { settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'

const address = 'https://rent.example.com'
const typed = (apiKey: string) => ({ serviceAddress: address, apiKey, keepIn: 'keychain' }) as const
const nothingLeft: SignOutEffects = {
  instances: 0,
  perHourUsd: 0,
  guards: 0,
  guardedInstances: [],
  isTrying: false,
  autoRents: 0,
  jobs: 0,
  terminals: 0,
  forwards: 0,
  transfers: 0,
  editedCopies: 0,
  oneTimePasswords: 0,
  backupCodeSets: 0,
}

/** A key is `<user's id>/<which one>`; the keychain is locked while `keychain.isLocked`. */
async function setUp(file = memoryFile<KeptAccounts>({ accounts: [], front: null })) {
  const log = memoryLog()
  const keychain = { isLocked: false }
  const disk = { isBroken: false, removed: [] as string[] }
  const disposed: (string | null)[] = []

  const openAccount = async (opened: AccountToOpen | null, among: AmongAccounts) => {
    const own = opened?.file ?? { read: () => null, write: () => Promise.resolve() }
    const kept = own.read()
    const state = new Latest<AccountState>(
      kept === null ? { kind: 'none' } : { kind: 'connected', ...kept, ...unchecked },
    )
    const refuseLocked = (): void => {
      if (keychain.isLocked) throw new ProblemError({ kind: 'keychain-locked', detail: 'locked' })
    }
    const use = async (key: NewKey['key']): Promise<void> => {
      refuseLocked()
      const { apiKey } = key
      const next = { keyId: apiKey, ...identityOf(key), keyMask: `••••${apiKey}` }
      await own.write(next)
      state.set({ kind: 'connected', ...next, ...unchecked })
    }
    if (opened?.newKey) await use(opened.newKey.key)
    return {
      among,
      key: { state, holds: () => Promise.resolve(false), use },
      hosts: () => [],
      namesInstance: () => false,
      summary: {
        now: () => ({
          state: state.value,
          instances: [],
          unreadable: 0,
          alarms: { creditHours: null, unattended: [] },
          summarized: { serviceAddress: null, instances: [], unreadable: 0, guards: [] },
        }),
        changes: [state],
      },
      pageRequests: new PageRequests(),
      signOutEffects: () => nothingLeft,
      signOut: async () => {
        refuseLocked()
        await own.write(null)
        state.set({ kind: 'none' })
      },
      refresh: () => Promise.resolve(),
      pendingWork: () => ({ guards: 1, isTrying: false, autoRents: 1, jobs: 2 }),
      wake: () => undefined,
      dispose: async () => void disposed.push(opened?.id ?? null),
    }
  }
  const accounts = new Accounts({
    file,
    openAccount,
    checkKey: ({ serviceAddress, apiKey }) => {
      const id = Number(apiKey.split('/')[0])
      return Promise.resolve({ serviceAddress, apiKey, user: userRecord.parse({ id, full_name: 'Ada' }) })
    },
    removeFiles: async (id) => {
      if (disk.isBroken) throw new Error('The disk is broken')
      disk.removed.push(id)
    },
    log,
  })
  await accounts.open()
  const lines = async () => {
    await settle()
    const watched = accounts.asSeenBy(null).watch()
    const { value } = await watched.next()
    await watched.return?.(undefined)
    return value?.accounts ?? []
  }
  return { accounts, file, keychain, disk, disposed, log, lines }
}
const unchecked = {
  keyKeptIn: 'keychain',
  bearer: 'api-key',
  user: null,
  checkedAt: null,
  problem: null,
} as const

describe('connecting', () => {
  test('adds an account, in front, under a name and a color of its own', async () => {
    const { accounts, lines } = await setUp()
    expect(accounts.accountPages.value).toEqual({ front: null, ids: [], fresh: null })
    await accounts.connect(typed('1/a'))
    await accounts.connect(typed('2/a'))
    const [first, second, ...others] = await lines()
    expect(others).toEqual([])
    expect([first?.name, second?.name]).toEqual(['Ada', 'Ada 2'])
    expect(first?.color).not.toBe(second?.color)
    expect(accounts.accountPages.value).toEqual({
      front: second?.id,
      ids: [first?.id, second?.id],
      fresh: second?.id,
    })
  })

  test('the same user twice, even at once, is one account with the newer key', async () => {
    const { accounts, file } = await setUp()
    await Promise.all([accounts.connect(typed('1/a')), accounts.connect(typed('1/b'))])
    expect(file.value.accounts.map(({ keyId, name }) => [keyId, name])).toEqual([['1/b', 'Ada']])
    expect(accounts.accountPages.value.ids).toHaveLength(1)
    expect(accounts.accountPages.value.fresh).toBeNull()
  })

  test('a keychain that refuses leaves nothing behind, and the next try finds all free', async () => {
    const { accounts, keychain, disposed, file, lines } = await setUp()
    await accounts.connect(typed('1/a'))
    const before = accounts.accountPages.value
    keychain.isLocked = true
    await expect(accounts.connect(typed('2/a'))).rejects.toThrow('keychain-locked')
    expect(accounts.accountPages.value).toEqual(before)
    expect(disposed).toEqual([])
    expect(file.value.accounts).toHaveLength(1)
    keychain.isLocked = false
    await accounts.connect(typed('2/a'))
    expect((await lines()).map(({ name }) => name)).toEqual(['Ada', 'Ada 2'])
  })

  test('one that was there keeps its former key when the keychain refuses the new one', async () => {
    const { accounts, keychain, disposed, file } = await setUp()
    await accounts.connect(typed('1/a'))
    keychain.isLocked = true
    await expect(accounts.connect(typed('1/b'))).rejects.toThrow('keychain-locked')
    expect(file.value.accounts.map(({ keyId }) => keyId)).toEqual(['1/a'])
    expect([accounts.accountPages.value.ids.length, disposed]).toEqual([1, []])
  })
})

describe('with two accounts', () => {
  const setUpTwo = async () => {
    const world = await setUp()
    await world.accounts.connect(typed('1/a'))
    await world.accounts.connect(typed('2/a'))
    const [first = '', second = ''] = world.accounts.accountPages.value.ids
    return { ...world, first, second }
  }

  test('a name that another one has is refused; words that are free last', async () => {
    const { accounts, first, second, file, lines } = await setUpTwo()
    const taken = accounts.describe(second, { name: 'Ada', color: 'pink' })
    await expect(taken).rejects.toMatchObject({ problem: { kind: 'invalid-input', field: 'name' } })
    expect((await lines()).map(({ name }) => name)).toEqual(['Ada', 'Ada 2'])
    await accounts.describe(first, { name: 'Ada', color: 'pink' })
    await accounts.describe(second, { name: 'Play', color: 'brown' })
    const words = [
      { name: 'Ada', color: 'pink' },
      { name: 'Play', color: 'brown' },
    ]
    expect(await lines()).toMatchObject(words)
    expect(await (await setUp(file)).lines()).toMatchObject(words)
  })

  test('signing out of the one in front brings another one there; of another one, it moves nothing', async () => {
    const { accounts, first, second, disk, disposed, file } = await setUpTwo()
    await accounts.signOut(first)
    expect(accounts.accountPages.value).toMatchObject({ front: second })
    await accounts.signOut(second)
    expect(accounts.accountPages.value).toEqual({ front: null, ids: [], fresh: null })
    expect([disk.removed, disposed]).toEqual([
      [first, second],
      [first, second],
    ])
    expect(file.value.accounts).toEqual([])
    await expect(accounts.signOut(first)).rejects.toThrow('no-account')
  })

  test('signing out of one whose page is not in front takes that page away, and nothing else', async () => {
    const { accounts, first, second } = await setUpTwo()
    await accounts.signOut(first)
    expect(accounts.accountPages.value).toEqual({ front: second, ids: [second], fresh: second })
  })

  test('the one that is left is in front, also at the next start', async () => {
    const { accounts, first, second, file } = await setUpTwo()
    await accounts.signOut(second)
    expect(accounts.accountPages.value.front).toBe(first)
    await settle()
    expect((await setUp(file)).accounts.accountPages.value).toMatchObject({ front: first, ids: [first] })
  })

  test('who cannot be signed out is there as before; a folder that stays is told in the log', async () => {
    const { accounts, second, keychain, disk, disposed, log } = await setUpTwo()
    const before = accounts.accountPages.value
    keychain.isLocked = true
    await expect(accounts.signOut(second)).rejects.toThrow('keychain-locked')
    expect([accounts.accountPages.value, disposed, disk.removed]).toEqual([before, [], []])
    keychain.isLocked = false
    disk.isBroken = true
    await accounts.signOut(second)
    expect(accounts.accountPages.value.ids).toHaveLength(1)
    expect(log.lines).toHaveLength(1)
  })

  test('the one that was looked at last is in front at the next start, and what goes on is of both', async () => {
    const { accounts, first, second, file } = await setUpTwo()
    accounts.show(first)
    await settle()
    const next = await setUp(file)
    expect(next.accounts.accountPages.value).toEqual({ front: first, ids: [first, second], fresh: null })
    expect(next.accounts.pendingWork()).toEqual({ guards: 2, isTrying: false, autoRents: 2, jobs: 4 })
    expect(next.accounts.needsUser()).toBe(false)
    expect((await setUp()).accounts.needsUser()).toBe(true)
  })

  test('a page that is for none, or for one that is gone, cannot sign out or show anybody', async () => {
    const { accounts, second } = await setUpTwo()
    await expect(accounts.asSeenBy(null).signOut()).rejects.toThrow('no-account')
    const gone = accounts.asSeenBy(second)
    await accounts.signOut(second)
    await expect(gone.signOut()).rejects.toThrow('no-account')
    expect(() => accounts.show(second)).toThrow('no-account')
  })
})
