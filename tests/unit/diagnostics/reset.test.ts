import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { expect, test } from 'vitest'
import { resetParts, type ResetPart } from '#domain/diagnostics/reset.ts'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { askForReset, doPendingReset, withdrawReset } from '#services/diagnostics/reset.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const mine = '0123456789abcdef'
const other = 'fedcba9876543210'
const lastSeen = ['account', 'two-factor', 'templates', 'cloud', 'offers'].map(
  (what) => `accounts/${mine}/last-${what}.json`,
)
const files = [
  'window.json',
  'preferences.json',
  'clock.json',
  'known_hosts',
  'accounts.json',
  'vault-index.json',
  'logs/slipway.log',
  `accounts/${mine}/guards.json`,
  `accounts/${mine}/terminals.json`,
  `accounts/${mine}/scrollback/a.json`,
  `accounts/${mine}/last-instances.json`,
  ...lastSeen,
  `accounts/${mine}/host-keys.json`,
  `accounts/${other}/guards.json`,
]

async function furnished(): Promise<string> {
  const folder = await temporaryFolder()
  for (const file of files) {
    await mkdir(join(folder, dirname(file)), { recursive: true })
    await writeFile(join(folder, file), 'kept')
  }
  return folder
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted()
}

const steps = {
  removeSecrets: () => Promise.resolve({ kind: 'emptied' } as const),
  removeCrashDumps: () => Promise.resolve(),
  log: memoryLog(),
  onNotice: ({ detail }: StorageNotice) => expect.unreachable(detail),
}

const gone: Readonly<Record<ResetPart, readonly string[]>> = {
  window: ['window.json', `accounts/${mine}/terminals.json`, `accounts/${mine}/scrollback/a.json`],
  preferences: ['preferences.json'],
  caches: ['clock.json', `accounts/${mine}/last-instances.json`, ...lastSeen],
  'known-hosts': ['known_hosts', `accounts/${mine}/host-keys.json`],
  account: files.filter((file) => file.includes(mine)),
  // What is on the list of the keychain's entries goes with them, there.
  secrets: ['accounts.json'],
}

test.each(resetParts)('%s goes, and nothing else', async (part) => {
  const userData = await furnished()
  await askForReset(userData, { parts: [part], account: mine })
  expect(await doPendingReset({ ...steps, userData })).toEqual([])
  expect(await filesIn(userData)).toEqual(files.filter((file) => !gone[part].includes(file)).toSorted())
})

test('nothing is asked for, nothing goes; what was asked for is done once', async () => {
  const userData = await furnished()
  await doPendingReset({ ...steps, userData })
  expect(await filesIn(userData)).toEqual(files.toSorted())
  await askForReset(userData, { parts: ['window'], account: null })
  await doPendingReset({ ...steps, userData })
  await writeFile(join(userData, 'window.json'), 'new')
  await doPendingReset({ ...steps, userData })
  expect(await readFile(join(userData, 'window.json'), 'utf8')).toBe('new')
})

test('what was taken back does not happen', async () => {
  const userData = await furnished()
  await askForReset(userData, { parts: [...resetParts], account: mine })
  await withdrawReset(userData)
  await doPendingReset({ ...steps, userData })
  expect(await filesIn(userData)).toEqual(files.toSorted())
})

test('killed after any of its steps, it is done to the end by the next start', async () => {
  const whole = await furnished()
  const all = { parts: [...resetParts], account: mine }
  await askForReset(whole, all)
  let count = 0
  const remove = (path: string) => rm(path, { recursive: true, force: true })
  await doPendingReset({
    ...steps,
    userData: whole,
    remove: async (path) => {
      count += 1
      await remove(path)
    },
  })
  expect(count).toBeGreaterThan(8)
  const expected = await filesIn(whole)

  for (let last = 0; last < count; last += 1) {
    const userData = await furnished()
    await askForReset(userData, all)
    let done = 0
    // From then on nothing happens any more: the process is gone.
    const here = Promise.withResolvers<undefined>()
    const killed = doPendingReset({
      ...steps,
      userData,
      remove: async (path) => {
        if (done === last) {
          here.resolve(undefined)
          await new Promise<never>(() => undefined)
        }
        done += 1
        await remove(path)
      },
    })
    await Promise.race([killed, here.promise])
    expect(done).toBe(last)
    await doPendingReset({ ...steps, userData })
    expect(await filesIn(userData)).toEqual(expected)
  }
})

test.each([
  { kind: 'keychain-closed' },
  { kind: 'secrets-of-newer' },
  { kind: 'index-unreadable', keptAs: '/kept/vault-index.json.corrupt-1' },
] as const)('a keychain that keeps its secrets ($kind) keeps the accounts, and that is told', async (why) => {
  const userData = await furnished()
  await askForReset(userData, { parts: ['secrets', 'window'], account: null })
  const removeSecrets = () => Promise.resolve(why)
  expect(await doPendingReset({ ...steps, userData, removeSecrets })).toEqual([{ part: 'secrets', why }])
  expect(await filesIn(userData)).toEqual(files.filter((file) => !gone.window.includes(file)).toSorted())
})

test('crash dumps go with the secrets that they may hold, once those are gone', async () => {
  const did: string[] = []
  const removeCrashDumps = async (): Promise<void> => {
    did.push('dumps')
  }
  const removeSecrets = async () => {
    did.push('secrets')
    return { kind: 'emptied' } as const
  }
  const userData = await furnished()
  await askForReset(userData, { parts: ['window', 'preferences'], account: null })
  await doPendingReset({ ...steps, userData, removeSecrets, removeCrashDumps })
  expect(did).toEqual([])
  await askForReset(userData, { parts: ['secrets'], account: null })
  await doPendingReset({ ...steps, userData, removeSecrets, removeCrashDumps })
  expect(did).toEqual(['secrets', 'dumps'])
})

test('what cannot be read deletes nothing', async () => {
  const userData = await furnished()
  await writeFile(join(userData, 'reset.json'), '{"parts":["everything"],"account":"../.."}')
  await doPendingReset({ ...steps, userData })
  expect(await filesIn(userData)).toEqual(files.toSorted())
})

test('what is killed at every start is given up in the end, and that is told', async () => {
  const userData = await furnished()
  await askForReset(userData, { parts: ['window'], account: null })
  for (let start = 0; start < 3; start += 1) {
    const begun = Promise.withResolvers<undefined>()
    void doPendingReset({
      ...steps,
      userData,
      remove: () => {
        begun.resolve(undefined)
        return new Promise<never>(() => undefined)
      },
    })
    await begun.promise
  }
  const why = { kind: 'not-begun', file: join(userData, 'reset.json') }
  expect(await doPendingReset({ ...steps, userData })).toEqual([{ part: 'window', why }])
  expect(await filesIn(userData)).toEqual(files.toSorted())
  expect(await doPendingReset({ ...steps, userData })).toEqual([])
})

test('what can be neither read nor removed stops no start, and deletes nothing', async () => {
  const userData = await furnished()
  await mkdir(join(userData, 'reset.json'))
  expect(await doPendingReset({ ...steps, userData })).toEqual([])
  expect(await filesIn(userData)).toEqual(files.toSorted())
})

test('a request that cannot be removed is done once, and each later start tells that it is still there', async () => {
  const userData = await furnished()
  await askForReset(userData, { parts: ['window'], account: null })
  const remove = (path: string) =>
    path.endsWith('reset.json')
      ? Promise.reject(new Error('EPERM'))
      : rm(path, { recursive: true, force: true })
  expect(await doPendingReset({ ...steps, userData, remove })).toEqual([])
  expect(await filesIn(userData)).not.toContain('window.json')
  await writeFile(join(userData, 'window.json'), 'new')
  const why = { kind: 'not-begun', file: join(userData, 'reset.json') }
  for (let start = 0; start < 2; start += 1)
    expect(await doPendingReset({ ...steps, userData, remove })).toEqual([{ part: 'window', why }])
  expect(await readFile(join(userData, 'window.json'), 'utf8')).toBe('new')
})

test('what a newer Slipway was asked for is told and left to it, and nothing takes its place', async () => {
  const userData = await furnished()
  const text = '{"version":2,"parts":["preferences"],"account":null,"how":"otherwise"}'
  const path = join(userData, 'reset.json')
  await writeFile(path, text)
  const notices: StorageNotice[] = []
  expect(await doPendingReset({ ...steps, userData, onNotice: (notice) => notices.push(notice) })).toEqual([])
  expect(notices).toEqual([{ kind: 'newer', file: path, detail: expect.stringContaining('version 2,') }])
  await expect(askForReset(userData, { parts: ['window'], account: null })).rejects.toMatchObject({
    problem: { kind: 'newer-file', file: path },
  })
  await expect(withdrawReset(userData)).rejects.toMatchObject({ problem: { kind: 'newer-file', file: path } })
  expect(await readFile(path, 'utf8')).toBe(text)
  expect(await filesIn(userData)).toEqual([...files, 'reset.json'].toSorted())
})

test('one that was asked for before files said their version is done', async () => {
  const userData = await furnished()
  await writeFile(join(userData, 'reset.json'), '{"parts":["preferences"],"account":null}')
  expect(await doPendingReset({ ...steps, userData })).toEqual([])
  expect(await filesIn(userData)).toEqual(files.filter((file) => file !== 'preferences.json').toSorted())
})
