import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { openPreferences, type PreferencesFile } from '#services/settings/preferences.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

function open(path: string, notices: StorageNotice[] = []): Promise<PreferencesFile> {
  return openPreferences({ path, clock: new FakeClock(), onNotice: (notice) => notices.push(notice) })
}

test('the first start has the defaults', async () => {
  const { latest } = await open(join(await temporaryFolder(), 'preferences.json'))
  expect(latest.value).toMatchObject({ theme: 'system', sshUser: 'root', identityFiles: [] })
})

test('a change keeps the rest, is seen at once and at the next start', async () => {
  const path = join(await temporaryFolder(), 'preferences.json')
  const { latest, update } = await open(path)
  await update({ theme: 'dark' })
  await update({ sshUser: 'ubuntu', theme: undefined })
  expect(latest.value).toMatchObject({ theme: 'dark', sshUser: 'ubuntu' })
  expect((await open(path)).latest.value).toEqual(latest.value)
})

test('a file of before a preference was added is still read', async () => {
  const path = join(await temporaryFolder(), 'preferences.json')
  await writeFile(path, '{"version":1,"data":{"theme":"light"}}')
  const notices: StorageNotice[] = []
  expect((await open(path, notices)).latest.value).toMatchObject({ theme: 'light', sshUser: 'root' })
  expect(notices).toEqual([])
})

test('the one identity file of before is the first of several', async () => {
  const path = join(await temporaryFolder(), 'preferences.json')
  await writeFile(path, '{"version":1,"data":{"identityFile":"~/.ssh/id","sshUser":"kim"}}')
  const { latest, update } = await open(path)
  expect(latest.value).toMatchObject({ identityFiles: ['~/.ssh/id'], sshUser: 'kim' })
  await update({ identityFiles: [] })
  expect((await open(path)).latest.value.identityFiles).toEqual([])
})

test('a change that cannot be written is not shown as made', async () => {
  const folder = await temporaryFolder()
  const { latest, update } = await open(join(folder, 'preferences.json'))
  await rm(folder, { recursive: true })
  await writeFile(folder, 'a file where the folder was')
  await expect(update({ theme: 'dark' })).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  expect(latest.value.theme).toBe('system')
})

test('changes beside a newer Slipway’s file hold until the end of the run', async () => {
  const path = join(await temporaryFolder(), 'preferences.json')
  const content = '{"version":99,"data":{"theme":"sepia"}}'
  await writeFile(path, content)
  const notices: StorageNotice[] = []
  const { latest, update, isNewer } = await open(path, notices)
  expect(isNewer).toBe(true)
  await update({ theme: 'light' })
  expect(latest.value.theme).toBe('light')
  expect(await readFile(path, 'utf8')).toBe(content)
  expect((await open(path, notices)).latest.value.theme).toBe('system')
  expect(notices.map(({ kind }) => kind)).toEqual(['newer', 'newer'])
})
