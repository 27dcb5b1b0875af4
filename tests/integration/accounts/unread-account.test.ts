import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import type { Category } from '../../simulator/accounts.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain, type Client } from '../whole/main-program.ts'
import { firstOf } from './program.ts'

// A key that may not ask whose it is: what it may do works, and nothing is concluded from it.

async function setUp({ underScopedStatus = 403 }: { readonly underScopedStatus?: 401 | 403 } = {}) {
  const simulator = await startSimulator({ offers: 5, bootSeconds: [0, 0] })
  onTestFinished(() => simulator.close())
  const service = { ...simulator, ...simulator.account('default', { instances: 2, underScopedStatus }) }
  const userData = await temporaryFolder()
  // Written by the first reply, for which nobody waits: not while the folder goes.
  onTestFinished(() => waitFor(() => access(join(userData, 'clock.json'))))
  const keychain = fakeBackend()
  const start = async () => {
    const main = await startMain({ userData, keychain })
    onTestFinished(() => main.app.dispose())
    return {
      ...main,
      connect: async (apiKey: string): Promise<string> => {
        const request = { serviceAddress: service.baseUrl, apiKey, keepIn: 'keychain' } as const
        await main.window().client.accounts.connect(request)
        return main.app.accountPages.value.front ?? ''
      },
    }
  }
  const keyWith = (...categories: readonly Category[]) => service.keys.create(service.key, categories)
  return { service, userData, start, keyWith }
}

const stateOf = async (page: Client) => {
  const state = await firstOf(page.accounts.key.watch)
  if (state.kind === 'none') throw new Error('It is not connected')
  return state
}
const refused = (code: string) => ({ data: { kind: 'invalid-input', field: 'apiKey', fault: { code } } })

// Which status a key gets for what it may not do, the API leaves open (5.3).
const statuses = [403, 401] as const

test.each(statuses)(
  'a key that may not read the account (%i) connects, does what it may, and is there at the next start',
  async (underScopedStatus) => {
    const { service, userData, start, keyWith } = await setUp({ underScopedStatus })
    const key = keyWith('instance_read')
    const first = await start()
    const { client: page } = first.window(await first.connect(key))
    const { instances } = await firstOf(wholeLists(page.instances.watch), (list) => list.instances !== null)
    expect(instances).toHaveLength(2)
    expect(await stateOf(page)).toMatchObject({ user: null, problem: null, keyMask: `••••${key.slice(-4)}` })
    const { answers } = await page.accounts.key.permissions()
    expect(answers).toMatchObject({
      user_read: { kind: 'not-allowed', message: 'the API key lacks the permission user_read' },
      instance_read: { kind: 'allowed' },
      instance_write: { kind: 'not-asked' },
      misc: { kind: 'not-allowed' },
    })
    await expect(page.templates.search({ filters: {} })).rejects.toMatchObject({
      data: { kind: 'not-allowed', permission: 'user_read' },
    })
    const writes = service.journal().filter(({ method }) => method !== 'GET')
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/v0/bundles/'])

    expect(await readFile(join(userData, 'accounts.json'), 'utf8')).not.toContain(key)
    await first.app.dispose()
    const second = await start()
    const { front, ids } = second.app.accountPages.value
    expect(ids).toHaveLength(1)
    const { client: again } = second.window(front)
    await again.accounts.key.check()
    expect(await stateOf(again)).toMatchObject({
      user: null,
      problem: null,
      userId: expect.any(String) as string,
    })
  },
)

test('the same such key is one account, another one another: nothing tells whose they are', async () => {
  const { service, start, keyWith } = await setUp()
  const main = await start()
  const known = await main.connect(service.key)
  const key = keyWith('instance_read')
  const unread = await main.connect(key)
  expect(await main.connect(key)).toBe(unread)
  const other = await main.connect(keyWith('misc', 'instance_read'))
  expect(main.app.accountPages.value.ids).toEqual([known, unread, other])
})

test('a key takes the place of another one only where both are seen to be of one account', async () => {
  const { service, start, keyWith } = await setUp()
  const main = await start()
  const limited = keyWith('instance_read')
  const { client: known } = main.window(await main.connect(service.key))
  const replace = (page: Client, apiKey: string) => page.accounts.key.replace({ apiKey, keepIn: 'keychain' })
  await expect(replace(known, limited)).rejects.toMatchObject(refused('reads-no-account'))
  expect(await stateOf(known)).toMatchObject({ keyMask: `••••${service.key.slice(-4)}` })

  const { client: unread } = main.window(await main.connect(limited))
  await expect(replace(unread, service.key)).rejects.toMatchObject(refused('account-unread'))
  await expect(replace(unread, keyWith('instance_read', 'misc'))).rejects.toMatchObject(
    refused('account-unread'),
  )
  await replace(unread, limited)
  expect(await stateOf(unread)).toMatchObject({ keyMask: `••••${limited.slice(-4)}`, user: null })
})

test('a key that may read its account since is the same account, and can be entered again', async () => {
  const { service, start, keyWith } = await setUp()
  const main = await start()
  const categories = ['instance_read', 'misc'] as const
  const key = keyWith(...categories)
  const unread = await main.connect(key)
  const { client: page } = main.window(unread)
  const { userId: name } = await stateOf(page)
  service.keys.limit(key, ['user_read', ...categories])
  expect(await main.connect(key)).toBe(unread)
  await page.accounts.key.replace({ apiKey: key, keepIn: 'keychain' })
  // Its record is known now; its journals and rules stay where they are.
  expect(await stateOf(page)).toMatchObject({ userId: name, problem: null, user: { id: expect.any(Number) } })
  service.keys.limit(key, categories)
  expect(await main.connect(key)).toBe(unread)
  expect(await stateOf(page)).toMatchObject({ userId: name, problem: null, user: null })
  expect(main.app.accountPages.value.ids).toEqual([unread])
})

test.each(statuses.flatMap((status) => [['connected', status] as const, ['replaced', status] as const]))(
  'a key that may no longer read its account is the same account when it is %s, which then says so (%i)',
  async (way, underScopedStatus) => {
    const { service, start } = await setUp({ underScopedStatus })
    const main = await start()
    const known = await main.connect(service.key)
    const { client: page } = main.window(known)
    const { userId } = await stateOf(page)
    service.keys.limit(service.key, ['instance_read'])
    if (way === 'connected') expect(await main.connect(service.key)).toBe(known)
    else await page.accounts.key.replace({ apiKey: service.key, keepIn: 'keychain' })
    expect(await stateOf(page)).toMatchObject({ userId, problem: { kind: 'not-allowed' } })
    expect(main.app.accountPages.value.ids).toEqual([known])
  },
)

test('an account whose key may read it since takes another key of the same user, and none of another', async () => {
  const { service, start, keyWith } = await setUp()
  const main = await start()
  const key = keyWith('instance_read')
  const unread = await main.connect(key)
  const { client: page } = main.window(unread)
  const { userId: name } = await stateOf(page)
  service.keys.limit(key, ['user_read', 'instance_read'])
  const replace = (apiKey: string) => page.accounts.key.replace({ apiKey, keepIn: 'keychain' })
  await expect(replace(service.account('admin').key)).rejects.toMatchObject(refused('other-account'))
  await replace(service.key)
  expect(await stateOf(page)).toMatchObject({ userId: name, keyMask: `••••${service.key.slice(-4)}` })
  expect(await main.connect(service.key)).toBe(unread)
  expect(main.app.accountPages.value.ids).toEqual([unread])
})

// Which permission a search for offers needs, the API doesn't say: it may need none, and not even a true key.
test.each(
  statuses.flatMap((status) =>
    [[], ['instance_write'], ['misc']].map((categories) => [categories as Category[], status] as const),
  ),
)(
  'a key with %j does not connect (%i): nothing shows that it is one',
  async (categories, underScopedStatus) => {
    const { start, keyWith } = await setUp({ underScopedStatus })
    const main = await start()
    const kind = underScopedStatus === 403 ? 'not-allowed' : 'key-refused'
    await expect(main.connect(keyWith(...categories))).rejects.toMatchObject({
      data: { kind, message: 'the API key lacks the permission user_read' },
    })
    await expect(main.connect('no-such-key')).rejects.toMatchObject({
      data: { kind: 'key-refused', message: expect.stringContaining('wrong') as string },
    })
    expect(main.app.accountPages.value.ids).toEqual([])
  },
)

test('a key that is revoked is said to be refused, also of an account that nobody could read', async () => {
  const { service, start, keyWith } = await setUp({ underScopedStatus: 401 })
  const main = await start()
  const key = keyWith('instance_read')
  const { client: page } = main.window(await main.connect(key))
  await page.accounts.key.check()
  expect(await stateOf(page)).toMatchObject({ user: null, problem: null })
  service.keys.revoke(key)
  await page.accounts.key.check()
  expect(await stateOf(page)).toMatchObject({ problem: { kind: 'key-refused' } })
  const { answers } = await page.accounts.key.permissions()
  expect(answers).toMatchObject({
    user_read: { kind: 'key-refused' },
    instance_read: { kind: 'key-refused' },
  })
})

test('a page that refuses the account and answers the rest with something else is no service', async () => {
  const { service, start, keyWith } = await setUp()
  const main = await start()
  service.faults.add({ path: '/api/v0/instances/', kind: 'refused', error: 'not_found', status: 404 })
  await expect(main.connect(keyWith('instance_read', 'misc'))).rejects.toMatchObject({
    data: { kind: 'not-allowed' },
  })
  expect(main.app.accountPages.value.ids).toEqual([])
})
