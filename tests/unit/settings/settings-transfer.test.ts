import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AccountState } from '#domain/accounts/account.ts'
import { Latest } from '#domain/base/latest.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { openOfferLists } from '#services/offers/offer-lists.ts'
import { openPreferences } from '#services/settings/preferences.ts'
import { SettingsTransfer } from '#services/settings/settings-transfer.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { expectMode } from '../../support/file-mode.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const accountAt = (serviceAddress: string): AccountState => ({
  kind: 'connected',
  ...{
    keyId: 'a',
    userId: 7,
    keyMask: '••••',
    keyKeptIn: 'keychain',
    bearer: 'api-key',
    user: null,
    checkedAt: null,
    problem: null,
  },
  serviceAddress,
})
const rent = accountAt('https://rent.example.com')
const unchanged = {
  kind: 'merged',
  favorites: 0,
  removedFavorites: 0,
  blocked: 0,
  unblocked: 0,
  searches: 0,
  replacedSearches: 0,
}

/** A computer, with its own folder. */
async function computer(account: AccountState = rent, preferencesOnDisk?: string) {
  const folder = await temporaryFolder()
  const data = join(folder, 'data')
  if (preferencesOnDisk !== undefined) {
    await mkdir(data)
    await writeFile(join(data, 'preferences.json'), preferencesOnDisk)
  }
  const clock = new FakeClock()
  const place = (name: string) => ({
    path: join(data, name),
    clock,
    onNotice: ({ kind, detail }: StorageNotice) => kind === 'newer' || expect.unreachable(detail),
  })
  const state = new Latest(account)
  const preferences = await openPreferences(place('preferences.json'))
  const lists = await openOfferLists({
    ...place('offer-lists.json'),
    randomId: () => crypto.randomUUID(),
  })
  const transfer = new SettingsTransfer({
    ...{ preferences, lists, account: state, app: 'Slipway 1.2.3', now: clock.now, log: memoryLog() },
    chooseFile: async (name) => join(folder, name),
  })
  return { folder, data, preferences, lists, transfer }
}

async function furnished() {
  const one = await computer()
  await one.preferences.update({
    theme: 'dark',
    jumpHosts: 'bastion.example.com',
    identityFiles: ['~/.ssh/id'],
  })
  await one.lists.saveSearch({ id: null, name: 'Cheap', query: { ...defaultOfferQuery, limit: 7 } })
  await one.lists.mark('favorites', { kind: 'machine', id: 1, title: 'One' })
  await one.lists.mark('blocked', { kind: 'host', id: 2, title: 'Two' })
  const path = (await one.transfer.save()) ?? ''
  return { ...one, path, text: await readFile(path, 'utf8') }
}

test('what one computer saves, another one has after the import, and its own lists besides', async () => {
  const one = await furnished()
  const other = await computer()
  await other.lists.mark('favorites', { kind: 'machine', id: 3, title: 'Three' })
  const expected = {
    settings: ['theme', 'jumpHosts'],
    jumpHosts: 'bastion.example.com',
    lists: { ...unchanged, favorites: 1, blocked: 1, searches: 1 },
  }
  expect(other.transfer.preview(one.text)).toEqual(expected)
  expect(other.preferences.latest.value.theme).toBe('system')
  expect(await other.transfer.apply(one.text)).toEqual(expected)
  expect(other.preferences.latest.value).toMatchObject({ theme: 'dark', jumpHosts: 'bastion.example.com' })
  expect(other.preferences.latest.value.identityFiles).toEqual([])
  expect(other.lists.latest.value.searches).toEqual(one.lists.latest.value.searches)
  expect(other.lists.latest.value.favorites.map(({ id }) => id).toSorted()).toEqual([1, 3])
  expect(other.lists.latest.value.blocked).toEqual(one.lists.latest.value.blocked)
  expect(other.transfer.preview(one.text)).toEqual({
    settings: [],
    jumpHosts: null,
    lists: unchanged,
  })
})

test('only its owner can read the file, and one that cannot be written is told', async () => {
  const { path, folder, transfer } = await furnished()
  await expectMode(path, 0o600)
  await rm(folder, { recursive: true })
  await expect(transfer.save()).rejects.toMatchObject({ problem: { kind: 'storage-failed', file: path } })
})

test('lists of another service are left out, and so are any without an account; the settings are taken', async () => {
  const { text } = await furnished()
  for (const [account, kind] of [
    [accountAt('https://other.example.com'), 'other-service'],
    [{ kind: 'none' }, 'no-account'],
  ] as const) {
    const other = await computer(account)
    expect((await other.transfer.apply(text)).lists).toEqual({ kind })
    expect(other.preferences.latest.value.theme).toBe('dark')
    expect(other.lists.latest.value.favorites).toEqual([])
  }
})

test('without an account the settings alone are saved', async () => {
  const { transfer } = await computer({ kind: 'none' })
  const text = await readFile((await transfer.save()) ?? '', 'utf8')
  expect(JSON.parse(text)).toMatchObject({ offers: null })
  expect((await computer()).transfer.preview(text).lists).toEqual({ kind: 'none' })
})

test.each([
  ['a newer Slipway’s', (text: string) => text.replace('"version": 2', '"version": 3'), 'newer'],
  ['another file', () => '{}', 'other-file'],
  ['a damaged one', (text: string) => text.replace('"dark"', '"black"'), 'damaged'],
])('%s is refused with its reason, and changes nothing', async (_, change, code) => {
  const { text } = await furnished()
  const other = await computer()
  const before = other.preferences.latest.value
  const refusal = { problem: { kind: 'invalid-input', fault: { code } } }
  await expect(other.transfer.apply(change(text))).rejects.toMatchObject(refusal)
  expect(() => other.transfer.preview(change(text))).toThrow()
  expect(other.preferences.latest.value).toEqual(before)
  expect(other.lists.latest.value.searches).toEqual([])
})

test('more than fits beside what is here is refused as a whole', async () => {
  const { text } = await furnished()
  const other = await computer()
  const full = Array.from({ length: 5000 }, (_, id) => ({ kind: 'offer' as const, id, title: '', at: 1 }))
  await other.lists.change((lists) => ({ ...lists, favorites: full }))
  await expect(other.transfer.apply(text)).rejects.toMatchObject({
    problem: { kind: 'invalid-input', fault: { code: 'lists-full' } },
  })
  expect(other.preferences.latest.value.theme).toBe('system')
  expect(other.lists.latest.value.favorites).toEqual(full)
})

test('what is marked while an import waits for its turn stays', async () => {
  const { text } = await furnished()
  const other = await computer()
  const marking = other.lists.mark('favorites', { kind: 'machine', id: 3, title: 'Three' })
  const importing = other.transfer.apply(text)
  await Promise.all([marking, importing])
  expect(other.lists.latest.value.favorites.map(({ id }) => id).toSorted()).toEqual([1, 3])
})

test('a block that the file has as a favorite goes, and that is said before', async () => {
  const { text } = await furnished()
  const other = await computer()
  await other.lists.mark('blocked', { kind: 'machine', id: 1, title: 'Never again' })
  await other.lists.mark('favorites', { kind: 'host', id: 2, title: 'Mine' })
  const lists = { favorites: 1, removedFavorites: 1, blocked: 1, unblocked: 1 }
  expect(other.transfer.preview(text).lists).toMatchObject(lists)
  expect((await other.transfer.apply(text)).lists).toMatchObject(lists)
  expect(other.lists.latest.value.blocked.map(({ id }) => id)).toEqual([2])
})

test('settings that cannot be written leave the lists as they were', async () => {
  const { text } = await furnished()
  const other = await computer()
  // A folder stands where the settings belong.
  await mkdir(join(other.data, 'preferences.json'), { recursive: true })
  await expect(other.transfer.apply(text)).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  expect(other.preferences.latest.value.theme).toBe('system')
  expect(other.lists.latest.value).toMatchObject({ favorites: [], blocked: [], searches: [] })
})

test('settings that would be gone at the next start are not imported', async () => {
  const { text } = await furnished()
  const other = await computer(rent, '{"version":99}')
  await expect(other.transfer.apply(text)).rejects.toMatchObject({ problem: { kind: 'newer-file' } })
  expect(other.preferences.latest.value.theme).toBe('system')
  expect(other.lists.latest.value.searches).toEqual([])
})

test('lists that cannot be written leave the settings as they were', async () => {
  const { text } = await furnished()
  const other = await computer()
  const before = other.preferences.latest.value
  // A folder stands where the lists belong.
  await mkdir(join(other.data, 'offer-lists.json'), { recursive: true })
  await expect(other.transfer.apply(text)).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  expect(other.preferences.latest.value).toEqual(before)
  expect(await readFile(join(other.data, 'preferences.json'), 'utf8')).toContain('"system"')
})
