import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { wholeLists } from '#contract/instances-changes.ts'
import { qualifiedUserId } from '#domain/base/account-identity.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'
import { firstOf } from './program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const key = '3f0c3f6e-8d1c-4a52-9f3b-0c5a3f6e8d1c'

test('what files of version 1 hold of the account is there, and nothing of another one', async () => {
  const userData = await temporaryFolder()
  const service = await startSimulator({ offers: 1 })
  onTestFinished(() => service.close())
  const { key: apiKey } = service.account('default', { instances: 1 })
  const keychain = fakeBackend()
  const first = await startMain({ userData, keychain })
  const { client: page } = await first.connect({ baseUrl: service.baseUrl, key: apiKey })
  const account = await firstOf(page.accounts.key.watch, ({ kind }) => kind === 'connected')
  const { instances } = await firstOf(wholeLists(page.instances.watch), (list) => list.instances !== null)
  const instanceId = instances?.[0]?.id ?? 0
  const id = first.app.accountPages.value.front ?? ''
  await first.app.dispose()
  if (account.kind !== 'connected') throw new Error('It is not connected')

  const { serviceAddress } = account
  const userId = Number(account.userId)
  const both = [
    { owner: qualifiedUserId({ serviceAddress, userId: userId + 1 }), name: 'theirs', userId: userId + 1 },
    { owner: qualifiedUserId({ serviceAddress, userId }), name: 'mine', userId },
  ]
  const byOwner = (part: (name: string) => unknown) =>
    Object.fromEntries(both.map(({ owner, name }) => [owner, part(name)]))
  const listed = (entry: (name: string) => object) =>
    both.map(({ owner, name }) => ({ ...entry(name), owner }))
  const plan = { kind: 'dynamic', entrance: { port: 1, reach: 'loopback' } }
  const order = {
    instanceId,
    direction: 'upload',
    from: '/a',
    names: ['b'],
    to: '/c',
    honourGitignore: false,
  }
  const condition = { kind: 'at', at: Date.now() + 86_400_000 }
  const guard = { notBefore: null, warnedFor: null, state: { kind: 'armed' }, absentSince: null }
  const terminal = { key, instanceId, title: null }
  const files: Readonly<Record<string, unknown>> = {
    'instance-words.json': byOwner((label) => ({ [instanceId]: { label, note: '', at: 1 } })),
    'ssh-choices.json': byOwner((name) => ({
      [instanceId]: { via: { kind: 'direct' }, forwardAgent: name === 'mine', at: 1 },
    })),
    'security.json': byOwner((name) => ({ open: [], lost: [], isSmsDisabled: name === 'mine' })),
    'template-hashes.json': byOwner((name) => ({ before: name })),
    'terminals.json': byOwner((name) => ({
      terminals: [{ ...terminal, name }],
      layout: null,
      active: key,
    })),
    'offer-lists.json': both.map(({ name, ...one }) => ({
      serviceAddress,
      userId: one.userId,
      lists: { favourites: [], blocked: [{ kind: 'host', id: 3, title: name, at: 1 }], searches: [] },
    })),
    'forwards.json': listed((name) => ({ id: name, instanceId, plan, isOn: false })),
    'transfers.json': listed((name) => ({
      id: name,
      order,
      choice: null,
      failed: { kind: 'silent' },
    })),
    'guards.json': {
      guards: listed((name) => ({
        ...guard,
        ...{ id: name, instanceId, action: 'stop', condition, setAt: Date.now() },
      })),
      fired: [],
    },
  }
  const folder = join(userData, 'accounts', id)
  for (const [name, data] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify({ version: 1, data }))

  const at = Date.now() - 60_000
  const offer = { offerId: 9, machineId: null, title: 'an offer', perHourUsd: null }
  const retryPlan = { machines: 1, capPerHourUsd: null, bootMinutes: 60, giveUpAfterMinutes: 60 }
  const retryStep = (name: string, step: object) => ({ kind: 'step', id: name, at, step })
  /** The first line of a journal did not say its version at first; steps and ends never named their account. */
  const journals: Readonly<Record<string, readonly object[]>> = {
    'rentals.jsonl': [
      { version: 1 },
      ...listed((name) => ({ kind: 'intent', id: name, offerId: 9, at, knownIds: [] })),
      ...both.map(({ name }) => ({ kind: 'settled', id: name, at, outcome: { kind: 'nothing-created' } })),
    ],
    'chains.jsonl': [
      ...listed((name) => ({
        ...{ kind: 'begun', id: name, at, plan: retryPlan, first: offer, sealedBody: 'lost' },
        query: defaultOfferQuery,
      })),
      retryStep('theirs', { kind: 'trying', rentalId: 'theirs', offer, knownIds: [] }),
      retryStep('theirs', { kind: 'rented', instanceId }),
      retryStep('theirs', { kind: 'failing', instanceId, why: 'exited' }),
      retryStep('mine', { kind: 'ended', outcome: { kind: 'no-offers' } }),
    ],
    'actions.jsonl': listed((name) => ({
      ...{ kind: 'asked', instanceId, action: name === 'mine' ? 'stop' : 'destroy', at },
    })).toReversed(),
    'activity.jsonl': [
      { version: 1 },
      ...listed((name) => ({ at, event: { kind: 'appeared', status: name }, instanceId })),
    ],
  }
  for (const [name, lines] of Object.entries(journals))
    await writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

  const main = await startMain({ userData, keychain })
  onTestFinished(() => main.app.dispose())
  const { client } = main.window()
  expect(await firstOf(client.settings.watchStorageNotices)).toEqual([])
  const seen = await Promise.all([
    firstOf(wholeLists(client.instances.watch), (list) => list.instances?.[0]?.own !== undefined),
    firstOf(client.offers.watchLists),
    firstOf(client.forwards.watch),
    firstOf(client.files.watchTransfers),
    firstOf(client.guards.watch),
    client.terminals.arrangement(),
    client.templates.follow({ filters: { hash_id: { eq: 'before' } } }),
    firstOf((_, options) => client.ssh.connections.watchRoute({ instanceId }, options)),
    firstOf(client.twoFactor.watch, ({ account: known }) => known.kind === 'known'),
    firstOf(wholeLists(client.instances.watch), (list) => list.notices.length > 0),
    firstOf(wholeLists(client.instances.watch), (list) => Boolean(list.instances?.[0]?.pending)),
    firstOf(client.renting.retries.watch),
    firstOf((_, options) => client.instances.activity({ id: instanceId }, options)),
  ])
  expect(seen).toMatchObject([
    { instances: [{ own: { label: 'mine' } }] },
    { blocked: [{ title: 'mine' }] },
    [{ id: 'mine' }],
    [{ id: 'mine' }],
    { guards: [{ id: 'mine' }] },
    { terminals: [{ name: 'mine' }] },
    { hash_id: { eq: 'mine' } },
    { choice: { via: { kind: 'direct' }, forwardAgent: true } },
    { account: { sms: 'disabled' } },
    { notices: [{ id: 'mine', outcome: { kind: 'nothing-created' } }] },
    { instances: [{ pending: { action: 'stop' } }] },
    [{ id: 'mine', steps: [{ step: { kind: 'ended' } }] }],
    [{ event: { kind: 'appeared', status: 'mine' } }],
  ])
  expect(JSON.stringify(seen)).not.toContain('theirs')
})
