import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { fromParts } from '#contract/parts.ts'
import { wholeLists } from '#contract/instances-changes.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import { emptyContent } from '#domain/templates/template-content.ts'
import { formOf } from '#domain/templates/template-form.ts'
import { startSimulator } from '../../simulator/simulator.ts'
import { fakeBackend } from '../../unit/vault/keychain/fake-backend.ts'
import { firstOf } from '../accounts/program.ts'
import { definition } from '../jobs/job-scene.ts'
import { type Client, startMain } from './main-program.ts'
import { rentRequestFor } from './requests.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// All of main on files of its own and of a newer Slipway's: what a page can do is done on them, and then they are read.

const ofAll = ['preferences.json', 'vault-index.json', 'clock.json', 'update.json']
const ofAccount = [
  ...['security.json', 'offer-lists.json', 'rentals.jsonl', 'actions.jsonl', 'chains.jsonl'],
  'orders.jsonl',
  'auto-rent.jsonl',
  'jobs.jsonl',
  ...['last-instances.json', 'activity.jsonl', 'guards.json', 'attendance.json', 'host-keys.json'],
  'cost-limit.json',
  ...['ssh-choices.json', 'instance-words.json', 'forwards.json', 'transfers.json', 'terminals.json'],
  'spending.json',
  'offer-watches.json',
  'budget.json',
  'machine-notes.json',
  'projects.json',
  'unsaved-texts.json',
  'edited-copies.json',
  'file-places.json',
  ...['frame.json', 'snippets.json', 'template-drafts.json', 'template-hashes.json'],
  ...[
    'last-account.json',
    'last-two-factor.json',
    'last-templates.json',
    'last-cloud.json',
    'last-offers.json',
  ],
]

const newerJson = '{"version":99,"data":{"of":"a newer Slipway"}}'
const newerJournal = '{"version":99}\n{"of":"a newer Slipway"}\n{"cut off'

async function setUp() {
  const folder = await temporaryFolder()
  const service = await startSimulator({ offers: 50, bootSeconds: [0, 0] })
  onTestFinished(() => service.close())
  const { key } = service.account('default', { instances: 2 })
  const userData = join(folder, 'data')
  const keychain = fakeBackend()
  return { service, key, userData, keychain, start: () => startMain({ userData, keychain }) }
}

/** What a user does. Each is done, or refused because of a newer file, whose name is in the answer. */
async function useEverything(page: Client): Promise<readonly string[]> {
  const { instances } = await firstOf(wholeLists(page.instances.watch), (list) => list.instances !== null)
  const [instanceId = 0, otherId = 0] = instances?.map(({ id }) => id) ?? []
  const { records: offers } = await fromParts(await page.offers.search(defaultOfferQuery))
  const key = crypto.randomUUID()
  const shell = { wish: { kind: 'plain' }, isSessionMissing: false, folder: null } as const
  const terminals = [{ key, instanceId, name: null, title: null, ...shell }]
  const done = await Promise.allSettled([
    page.settings.update({ theme: 'light' }),
    page.offers.addFavorite({ kind: 'machine', id: 7, title: 'Seven' }),
    page.guards.set({ instanceId, action: 'stop', condition: { kind: 'after', hours: 2 }, place: 'slipway' }),
    page.instances.writeOwn({ id: instanceId, own: { label: 'mine', note: '' } }),
    page.instances.stop({ id: otherId }),
    page.renting.rent(rentRequestFor(Number(offers[0]?.id))),
    page.runs.keepSnippet({ command: 'nvidia-smi' }),
    page.files.keepUnsaved({
      ...{ instanceId, folder: '/root', name: 'a.py', text: 'typed' },
      ...{ expected: 'a', mode: 0o644, over: null },
    }),
    page.jobs.begin({
      definition,
      folder: import.meta.dirname,
      place: { kind: 'instance', instanceId },
    }),
    page.files.setBookmark({ place: { side: 'local' }, path: '/data', isOn: true }),
    page.files.noteShown({ place: { side: 'remote', instanceId }, path: '/root' }),
    page.workbench.keepPage({ page: '/instances' }),
    page.workbench.noteRecent({ id: 'offers' }),
    page.ssh.keys.create(),
    page.templates.keepDraft({
      id: crypto.randomUUID(),
      origin: { kind: 'new' },
      form: formOf({ ...emptyContent, name: 'mine' }),
    }),
    page.terminals.keepArrangement({ arrangement: { terminals, layout: null, active: key } }),
    page.terminals.keepScreen({ key, screen: { cols: 80, rows: 24, text: 'shown' } }),
  ])
  return done
    .flatMap((one) => (one.status === 'fulfilled' ? [] : [basename(refusal.parse(one.reason).data.file)]))
    .toSorted()
}

const refusal = z.object({ data: z.object({ kind: z.literal('newer-file'), file: z.string() }) })

/** The files below a folder, but the log, by their paths in it. */
async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const wanted = paths.filter((path) => !path.includes('/logs/'))
  return new Map(
    await Promise.all(
      wanted.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  )
}

test('every file that main writes says its version', async () => {
  const { userData, start, service, key } = await setUp()
  const main = await start()
  const { client } = await main.connect({ baseUrl: service.baseUrl, key })
  expect(await useEverything(client)).toEqual([])
  await main.app.dispose()
  const files = [...(await filesIn(userData))].filter(([path]) => !path.includes('scrollback/'))
  expect(files.length).toBeGreaterThan(10)
  for (const [path, text] of files) {
    expect(['.json', '.jsonl'], path).toContain(extname(path))
    const start = extname(path) === '.json' ? text : text.split('\n', 1)[0]
    expect(JSON.parse(start ?? ''), path).toMatchObject({ version: expect.any(Number) })
  }
})

test('files of a newer Slipway are told by name, and none of their bytes changes by use', async () => {
  const { userData, start, service, key } = await setUp()
  const first = await start()
  await first.connect({ baseUrl: service.baseUrl, key })
  const id = first.app.accountPages.value.front ?? ''
  await first.app.dispose()
  const account = join('accounts', id)
  const names = [...ofAll, ...ofAccount.map((name) => join(account, name))]
  for (const name of names) {
    const path = join(userData, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, extname(name) === '.json' ? newerJson : newerJournal)
  }
  const screen = join(userData, account, 'scrollback', '3f0c3f6e-8d1c-4a52-9f3b-0c5a3f6e8d1c.json')
  await mkdir(dirname(screen))
  await writeFile(screen, 'of the newer one')

  const main = await start()
  const { client } = main.window()
  // Where the window stands, and how it looks, is changed until the end of the run.
  const refused = ['vault-index.json', 'guards.json', 'template-drafts.json']
  const others = [
    'file-places.json',
    'instance-words.json',
    'jobs.jsonl',
    'offer-lists.json',
    'rentals.jsonl',
    'snippets.json',
    'unsaved-texts.json',
  ]
  expect(await useEverything(client)).toEqual([...refused, ...others].toSorted())
  const told = await firstOf(client.settings.watchStorageNotices, (notices) => notices.length >= names.length)
  expect(told.map(({ kind }) => kind)).toEqual(names.map(() => 'newer'))
  expect(told.map(({ file }) => file).toSorted()).toEqual(
    names.map((name) => join(userData, name)).toSorted(),
  )
  await main.app.dispose()

  const after = await filesIn(userData)
  for (const name of names)
    expect(after.get(name), name).toBe(extname(name) === '.json' ? newerJson : newerJournal)
  expect(await readFile(screen, 'utf8')).toBe('of the newer one')
  // Beside them there is what was there before, and what is of no account.
  expect([...after.keys()].filter((path) => !path.startsWith('accounts/none/')).toSorted()).toEqual(
    [...names, 'accounts.json', screen.slice(userData.length + 1)].toSorted(),
  )
})

test('the accounts of a newer Slipway are told, and none takes their place', async () => {
  const { userData, start, service, key, keychain } = await setUp()
  await mkdir(userData)
  await writeFile(join(userData, 'accounts.json'), newerJson)
  const main = await start()
  const { client } = main.window()
  expect(await firstOf(client.settings.watchStorageNotices)).toMatchObject([
    { kind: 'newer', file: join(userData, 'accounts.json') },
  ])
  const connecting = client.accounts.connect({
    serviceAddress: service.baseUrl,
    apiKey: key,
    keepIn: 'keychain',
  })
  await expect(connecting).rejects.toMatchObject({ data: { kind: 'newer-file' } })
  expect(await readFile(join(userData, 'accounts.json'), 'utf8')).toBe(newerJson)
  await main.app.dispose()
  expect([...keychain.entries.keys()]).toEqual([])
})
