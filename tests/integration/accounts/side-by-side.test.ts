import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { qualifiedUserId } from '#domain/base/account-identity.ts'
import { startedAtMs } from '#domain/instances/instance-identity.ts'
import { computePerHourUsd } from '#domain/money/money.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { isKnown, vaultIndex } from '#services/vault/vault-index.ts'
import { formOf } from '#domain/templates/template-form.ts'
import { newOrigin } from '#domain/templates/template-draft.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { filesBelow } from '../../support/leaks.ts'
import { contentWith } from '../../support/template-arbitrary.ts'
import type { Client } from '../whole/main-program.ts'
import { firstOf, startProgram, type Program } from './program.ts'

// The same seed: both know their account by the same id, and their instances too. Only the address tells them apart.
const services: Simulator[] = []
beforeAll(async () => {
  for (let count = 0; count < 2; count += 1)
    services.push(await startSimulator({ offers: 60, instances: 1, bootSeconds: [0, 0] }))
})
afterAll(async () => {
  for (const service of services) await service.close()
})

/** One of two accounts, with a word that must be found with it and nowhere else. */
interface Side {
  readonly service: Simulator
  readonly key: string
  readonly canary: string
  readonly id: string
  readonly owner: string
  readonly page: Client
  readonly draftId: string
  readonly instanceId: number
  readonly rentedId: number
}

const userIdOf = async ({ baseUrl, key }: Simulator): Promise<number> => {
  const reply = await fetch(`${baseUrl}/api/v0/users/current/`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await reply.json()) as { id: number }).id
}

/** Connects the account, and puts its canary into everything that it can hold. */
async function furnish(
  { app, pageFor }: Program,
  service: Simulator,
  { key, canary }: Pick<Side, 'key' | 'canary'>,
): Promise<Side> {
  const { baseUrl } = service
  await pageFor(null).accounts.connect({ serviceAddress: baseUrl, apiKey: key, keepIn: 'keychain' })
  const id = app.accountPages.value.front
  if (id === null) throw new Error('not connected')
  const page = pageFor(id)
  await page.accounts.describe({ id, words: { name: canary.slice(-3), color: 'blue' } })
  const { instances } = await firstOf(wholeLists(page.instances.watch), (list) => list.instances !== null)
  const [instance] = instances ?? []
  if (instance === undefined) throw new Error('no instance')

  await page.offers.saveSearch({ id: null, name: canary, query: defaultOfferQuery })
  await page.offers.addFavorite({ kind: 'machine', id: 7, title: canary })
  await page.instances.writeOwn({ id: instance.id, own: { label: canary, note: canary } })
  await page.runs.keepSnippet({ command: `echo ${canary}` })
  await page.vault.addBackupCodes({ text: 'AAAA-BBBB-CCCC', keepIn: 'keychain' })
  const draftId = crypto.randomUUID()
  const content = contentWith({ name: canary, docker_login_user: 'robin' })
  await page.templates.keepDraft({ id: draftId, origin: newOrigin(content), form: formOf(content) })
  await page.templates.holdToken({ id: draftId, token: `token-${canary}` })
  const saved = crypto.randomUUID()
  await page.templates.save({
    id: saved,
    origin: { kind: 'new' },
    form: formOf(contentWith({ name: canary })),
  })
  const connection = { user_given_name: canary, key_id: `key-${canary}`, application_key: `secret-${canary}` }
  await page.cloud.add({ provider: 'b2', ...connection })
  const owner = qualifiedUserId({ serviceAddress: baseUrl, userId: await userIdOf(service) })
  const key1 = crypto.randomUUID()
  const terminal = { key: key1, instanceId: instance.id, name: canary, title: canary }
  await page.terminals.keepArrangement({
    arrangement: {
      terminals: [{ ...terminal, wish: { kind: 'plain' }, isSessionMissing: false, folder: null }],
      layout: null,
      active: null,
    },
  })
  const { records: offers } = await fromParts(await page.offers.search(defaultOfferQuery))
  const rented = await page.renting.rent({
    offerId: Number(offers[0]?.id),
    options: {
      image: canary,
      templateHashId: null,
      diskGb: 10,
      env: { CANARY: canary },
      onstart: null,
      volume: null,
      extraFilters: {},
      addSshKey: false,
    },
    keepInstanceKey: true,
  })
  if (rented.kind !== 'rented') throw new Error(rented.kind)
  return {
    service,
    key,
    canary,
    id,
    owner,
    page,
    draftId,
    instanceId: instance.id,
    rentedId: rented.instanceId,
  }
}

/** All that a page can come to see without being let: of its own account, and what it asks for of the other. */
async function seenFrom({ page }: Side, other: Side): Promise<string> {
  const seen = await Promise.all([
    firstOf(page.accounts.key.watch),
    firstOf(page.offers.watchLists),
    firstOf(page.templates.watchDrafts),
    firstOf(wholeLists(page.instances.watch)),
    firstOf(page.guards.watch),
    firstOf(page.vault.watch),
    firstOf(page.runs.watchSnippets),
    page.templates.readDraft({ id: other.draftId }),
    page.templates.search({ filters: {} }).then((parts) => fromParts(parts)),
    page.terminals.arrangement(),
    page.cloud.list(),
    firstOf((_, options) => page.instances.activity({ id: other.rentedId }, options)),
  ])
  return JSON.stringify(seen)
}

/** What the instance will have cost in so many milliseconds, in USD. */
async function costSoon({ page, instanceId }: Side, afterMs: number): Promise<number> {
  const { instances } = await firstOf(wholeLists(page.instances.watch), (list) => list.instances !== null)
  const { record = {} } = instances?.find(({ id }) => id === instanceId) ?? {}
  const [perHourUsd, startedAt] = [computePerHourUsd(record), startedAtMs(record)]
  if (perHourUsd === null || startedAt === null) throw new Error('no price')
  return (perHourUsd * (Date.now() + afterMs - startedAt)) / 3_600_000
}

/** Under which names the keychain has what goes with an account. */
async function keychainNames(userData: string): Promise<string[]> {
  const file = z.object({ data: vaultIndex })
  const { data } = file.parse(JSON.parse(await readFile(join(userData, 'vault-index.json'), 'utf8')))
  return data.entries.filter(isKnown).flatMap((entry) => {
    if (entry.kind === 'api-key') return [`apikey/${entry.keyId}`]
    return entry.kind === 'instance-key' ? [`instance-key/${entry.owner}/${entry.instanceId}`] : []
  })
}

test('nothing of one account is with the other: not shown, not sent, not on its disk, not left in the keychain', async () => {
  const [one, two] = services
  if (one === undefined || two === undefined) throw new Error('no services')
  const enrolled = await Promise.all(
    [one, two].map(async (service, at) => ({
      account: { serviceAddress: service.baseUrl, userId: await userIdOf(service) },
      label: ['canary-one', 'canary-two'][at] ?? '',
    })),
  )
  const program = await startProgram(enrolled)
  const { app, userData, keychainEntry } = program
  const a = await furnish(program, one, { key: one.key, canary: 'canary-one' })
  const b = await furnish(program, two, { key: two.keys.create(two.key), canary: 'canary-two' })
  expect(a.instanceId, 'the ids are the same at both services').toBe(b.instanceId)
  expect(a.owner).not.toBe(b.owner)

  for (const [mine, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const seen = await seenFrom(mine, other)
    expect(seen).toContain(mine.canary)
    expect(seen).not.toContain(other.canary)
    const sent = JSON.stringify(mine.service.journal())
    expect(sent).toContain(mine.canary)
    expect(sent).not.toContain(other.canary)
    const kept = (await filesBelow(join(userData, 'accounts', mine.id))).join('\n')
    expect(kept).toContain(mine.canary)
    expect(kept).not.toContain(other.canary)
    expect(kept).not.toContain('token-')
    const { entries, backupSets, elsewhere } = await firstOf(mine.page.vault.watch)
    expect([entries.map(({ label }) => label), backupSets.length]).toEqual([[mine.canary], 1])
    expect(elsewhere).toEqual({ entries: 1, backupSets: 1 })
  }

  // A guard of the first one acts while the second one is in front.
  await b.page.accounts.show({ id: b.id })
  const usd = await costSoon(a, 4000)
  await a.page.guards.set({
    instanceId: a.instanceId,
    action: 'stop',
    condition: { kind: 'cost', usd },
    place: 'slipway',
  })
  const look = async () => {
    await a.page.instances.refresh()
    return (await firstOf(a.page.guards.watch)).fired.length
  }
  await expect.poll(look).toBe(1)
  const fired = await firstOf(a.page.guards.watch)
  expect(app.accountPages.value.front).toBe(b.id)
  expect(fired.fired).toMatchObject([{ instanceId: a.instanceId, outcome: 'done' }])
  const stops = ({ service }: Side) =>
    service.journal().filter(({ method, path }) => method === 'PUT' && /instances\/\d+\/$/.test(path))
  expect(stops(a)).toMatchObject([{ body: { state: 'stopped' } }])
  expect(stops(b)).toEqual([])
  expect((await firstOf(b.page.guards.watch)).fired).toEqual([])

  const names = await keychainNames(userData)
  const before = await Promise.all(names.map(keychainEntry))
  expect(before.filter((value) => value !== null)).toHaveLength(4)
  const isOfA = before.map(
    (value, at) => value?.includes(a.key) === true || names[at]?.includes(a.owner) === true,
  )
  expect(isOfA.filter(Boolean)).toHaveLength(2)

  await a.page.accounts.signOut()
  const after = await Promise.all(names.map(keychainEntry))
  expect(after).toEqual(before.map((value, at) => (isOfA[at] ? null : value)))
  expect(await readdir(join(userData, 'accounts'))).toEqual(expect.not.arrayContaining([a.id]))
  // Its 2FA is the user's, and stays: of no account that is here, it is shown with the one that is left.
  const { entries, elsewhere } = await firstOf(b.page.vault.watch, (vault) => vault.entries.length === 2)
  expect(entries.map(({ label }) => label).toSorted()).toEqual([a.canary, b.canary])
  expect(elsewhere).toEqual({ entries: 0, backupSets: 0 })
  const seen = await seenFrom(b, a)
  expect(seen.split(a.canary)).toHaveLength(2)
}, 120_000)
