import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyVault } from '#services/vault/empty-vault.ts'
import type { StorageNotice } from '#services/storage/json-file.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { fakeBackend } from './keychain/fake-backend.ts'

async function setUp(text: string) {
  const folder = await temporaryFolder()
  const index = join(folder, 'vault-index.json')
  await writeFile(index, text)
  const keychain = fakeBackend()
  keychain.entries.set('key/of-mine', 'secret')
  const notices: StorageNotice[] = []
  const empty = () =>
    emptyVault({
      keychain,
      clock: systemClock,
      file: (name) => ({
        path: join(folder, name),
        clock: systemClock,
        onNotice: (notice) => void notices.push(notice),
      }),
    })
  return { keychain, index, notices, empty }
}

test('a list of secrets that can be read is emptied with the keychain', async () => {
  const { empty } = await setUp('{"version":1,"data":{"entries":[]}}')
  expect(await empty()).toEqual({ kind: 'emptied' })
})

test('where the list of secrets cannot be read, it is not said that they are gone, and told where the list is', async () => {
  const { empty, keychain, index, notices } = await setUp('torn')
  const emptied = await empty()
  expect(notices).toHaveLength(1)
  const [notice] = notices
  expect(notice).toMatchObject({ kind: 'unreadable', file: index })
  expect(emptied).toEqual({
    kind: 'index-unreadable',
    keptAs: notice?.kind === 'unreadable' && notice.keptAs,
  })
  expect([...keychain.entries.keys()]).toEqual(['key/of-mine'])
})

test('secrets that only a newer Slipway knows stay in the keychain and on the list, and that is told', async () => {
  const ofNewer = { kind: 'passkey', site: 'example.org' }
  const known = { kind: 'api-key', keyId: 'mine', since: 1 }
  const { empty, keychain, index } = await setUp(
    JSON.stringify({ version: 1, data: { entries: [ofNewer, known] } }),
  )
  keychain.entries.set('apikey/mine', 'secret')
  expect(await empty()).toEqual({ kind: 'secrets-of-newer' })
  expect([...keychain.entries.keys()]).toEqual(['key/of-mine'])
  expect(JSON.parse(await readFile(index, 'utf8'))).toMatchObject({ data: { entries: [ofNewer] } })
})

test('nothing is taken out of the keychain where only a newer Slipway can tell what is in it', async () => {
  const text = JSON.stringify({ version: 99, data: { items: [] } })
  const { empty, keychain, index, notices } = await setUp(text)
  expect(await empty()).toEqual({ kind: 'secrets-of-newer' })
  expect(notices).toEqual([expect.objectContaining({ kind: 'newer', file: index })])
  expect([...keychain.entries.keys()]).toEqual(['key/of-mine'])
  expect(await readFile(index, 'utf8')).toBe(text)
})
