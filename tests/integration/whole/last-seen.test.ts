import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fromParts } from '#contract/parts.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { startMain } from './main-program.ts'

/** Nothing gets through to the service until `faults.clear`. */
const silence = { path: '*', kind: 'reset-before', times: 10_000 } as const

async function setUp() {
  const userData = join(await temporaryFolder(), 'data')
  const service = await startSimulator({ offers: 150, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const keychain = fakeBackend()
  const start = () => startMain({ userData, keychain })
  const files = async () => {
    const names = await readdir(join(userData, 'accounts'), { recursive: true })
    return names.filter((name) => name.includes('last-')).toSorted()
  }
  return { service, start, files }
}

test('what was seen is there after a start without the service, apart from what the service says now', async () => {
  const { service, start } = await setUp()
  const first = await start()
  const { client } = await first.connect(service)
  const known = await firstOf(client.twoFactor.watch, ({ account }) => account.kind === 'known')
  await first.app.dispose()

  service.faults.add(silence)
  const second = await start()
  onTestFinished(() => second.app.dispose())
  const { client: page } = second.window()
  const state = await firstOf(
    page.accounts.key.watch,
    (now) => now.kind === 'connected' && now.problem !== null,
  )
  expect(state).toMatchObject({ user: null, problem: { kind: 'unreachable' } })
  await expect(
    firstOf(page.twoFactor.watch, ({ account }) => account.kind === 'unknown'),
  ).resolves.toBeDefined()
  const seenAt = known.account.kind === 'known' ? known.account.checkedAt : 0
  await expect(page.lastSeen.twoFactor()).resolves.toMatchObject({ seenAt, content: { status: 'off' } })
  const account = await page.lastSeen.account()
  expect(account?.seenAt).toBeGreaterThan(0)
  expect(account?.content.email).toContain('@')

  service.faults.clear()
  await page.accounts.key.check()
  await firstOf(page.accounts.key.watch, (now) => now.kind === 'connected' && now.user !== null)
  await expect
    .poll(async () => (await page.lastSeen.account())?.seenAt)
    .toBeGreaterThan(account?.seenAt ?? Infinity)
})

test('of searches and lists the first records are kept, without what may be secret', async () => {
  const { service, start } = await setUp()
  const first = await start()
  const { client } = await first.connect(service)
  const query = { ...defaultOfferQuery, filters: {}, limit: 120 }
  const { records: offers } = await fromParts(await client.offers.search(query))
  const recommended = { recommended: { eq: true } }
  const { records: templates } = await fromParts(await client.templates.search({ filters: recommended }))
  await client.templates.search({ filters: { name: { eq: 'none of this name' } } })
  expect(await client.cloud.list()).toMatchObject({ connections: [] })
  await first.app.dispose()

  service.faults.add(silence)
  const second = await start()
  onTestFinished(() => second.app.dispose())
  const { client: page } = second.window()
  const seenOffers = await page.lastSeen.offers()
  expect(seenOffers?.content).toMatchObject({ query, total: offers.length })
  expect(seenOffers?.content.offers).toHaveLength(100)
  const seenTemplates = await page.lastSeen.templates({ filters: recommended })
  const ids = templates.map(({ id }) => id)
  expect(seenTemplates?.content.templates.map(({ id }) => id)).toEqual(ids.slice(0, 100))
  for (const field of ['env', 'onstart', 'docker_login_user', 'readme'])
    expect(JSON.stringify(seenTemplates), field).not.toContain(`"${field}"`)
  await expect(page.lastSeen.templates({ filters: {} })).resolves.toBeNull()
  await expect(
    page.lastSeen.templates({ filters: { name: { eq: 'none of this name' } } }),
  ).resolves.toBeNull()
  await expect(page.lastSeen.cloud()).resolves.toMatchObject({ content: { connections: [], total: 0 } })
  await expect(page.offers.search(query)).rejects.toMatchObject({ data: { kind: 'unreachable' } })
  await expect(page.lastSeen.offers(), 'silence takes nothing away').resolves.toEqual(seenOffers)

  service.faults.clear()
  const none = { ...query, filters: { num_gpus: { gte: 1000 } } }
  expect(await fromParts(await page.offers.search(none))).toMatchObject({ records: [] })
  await expect(page.lastSeen.offers()).resolves.toMatchObject({
    content: { query: none, offers: [], total: 0 },
  })
})

test('signing out deletes what was seen', async () => {
  const { service, start, files } = await setUp()
  const main = await start()
  onTestFinished(() => main.app.dispose())
  const { client } = await main.connect(service)
  await firstOf(client.twoFactor.watch, ({ account }) => account.kind === 'known')
  await expect.poll(files).toContainEqual(expect.stringContaining('last-two-factor.json'))
  await client.accounts.signOut()
  await expect.poll(files).toEqual([])
})
