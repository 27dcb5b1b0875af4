import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownerOf } from '#domain/base/account-identity.ts'
import { emptyOfferLists } from '#domain/offers/offer-lists.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { startMain } from '../whole/main-program.ts'
import { firstOf } from './program.ts'

const key = '3f0c3f6e-8d1c-4a52-9f3b-0c5a3f6e8d1c'

test('what files of version 1 hold of the account is there, and nothing of another one', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-older-'))
  onTestFinished(() => rm(userData, { recursive: true, force: true }))
  const service = await startSimulator({ offers: 1 })
  onTestFinished(() => service.close())
  const { key: apiKey } = service.account('default', { instances: 1 })
  const keychain = fakeBackend()
  const first = await startMain({ userData, keychain })
  const { client: page } = await first.connect({ baseUrl: service.baseUrl, key: apiKey })
  const account = await firstOf(page.accounts.key.watch, ({ kind }) => kind === 'connected')
  const { instances } = await firstOf(page.instances.watch, (list) => list.instances !== null)
  const instanceId = instances?.[0]?.id ?? 0
  const id = first.app.stage.value.front ?? ''
  await first.app.dispose()
  if (account.kind !== 'connected') throw new Error('It is not connected')

  const { serviceAddress, userId } = account
  const both = [
    { owner: ownerOf({ serviceAddress, userId: userId + 1 }), name: 'theirs', userId: userId + 1 },
    { owner: ownerOf({ serviceAddress, userId }), name: 'mine', userId },
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
      lists: { ...emptyOfferLists, blocked: [{ kind: 'host', id: 3, title: name, at: 1 }] },
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
  for (const [name, data] of Object.entries(files))
    await writeFile(join(userData, 'accounts', id, name), JSON.stringify({ version: 1, data }))

  const main = await startMain({ userData, keychain })
  onTestFinished(() => main.app.dispose())
  const { client } = main.window()
  expect(await firstOf(client.settings.watchStorageNotices)).toEqual([])
  const seen = await Promise.all([
    firstOf(client.instances.watch, (list) => list.instances?.[0]?.own !== undefined),
    firstOf(client.offers.watchLists),
    firstOf(client.forwards.watch),
    firstOf(client.files.watchTransfers),
    firstOf(client.guards.watch),
    client.terminals.desk(),
    client.templates.follow({ filters: { hash_id: { eq: 'before' } } }),
    firstOf((_, options) => client.ssh.connections.watchWay({ instanceId }, options)),
    firstOf(client.twoFactor.watch, ({ account: known }) => known.kind === 'known'),
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
  ])
  expect(JSON.stringify(seen)).not.toContain('theirs')
})
