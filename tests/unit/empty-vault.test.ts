import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emptyVault } from '../../src-main/open-vault.ts'
import type { StorageNotice } from '../../src-main/settings/json-file.ts'
import { systemClock } from '../../src-main/system-clock.ts'
import { temporaryFolder } from './settings/temporary-folder.ts'
import { fakeBackend } from './vault/fake-backend.ts'

async function setUp(index: string) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'vault-index.json'), index)
  const keychain = fakeBackend()
  keychain.entries.set('key/of-mine', 'secret')
  const notices: StorageNotice[] = []
  const empty = () =>
    emptyVault({
      surroundings: { keychain, clock: systemClock },
      file: (name) => ({
        path: join(folder, name),
        clock: systemClock,
        onCorrupt: (notice) => void notices.push(notice),
      }),
    })
  return { keychain, notices, empty }
}

test('a list of secrets that can be read is emptied with the keychain', async () => {
  const { empty } = await setUp('{"version":1,"data":{"entries":[]}}')
  expect(await empty()).toEqual({ kind: 'emptied' })
})

test('where the list of secrets cannot be read, it is not said that they are gone, and told where the list is', async () => {
  const { empty, keychain, notices } = await setUp('torn')
  const emptied = await empty()
  expect(notices).toHaveLength(1)
  expect(emptied).toEqual({ kind: 'index-unreadable', keptAs: notices[0]?.keptAs })
  expect([...keychain.entries.keys()]).toEqual(['key/of-mine'])
})
