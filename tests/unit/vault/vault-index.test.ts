import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openJsonFile } from '#services/storage/json-file.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { IndexEntries, vaultIndexFile } from '#services/vault/vault-index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const passphrase = { kind: 'passphrase', path: '/home/me/.ssh/id_ed25519', since: 1 } as const
const apiKey = { kind: 'api-key', keyId: 'mine', since: 2 } as const
const ofNewer = { kind: 'passkey', of: { site: 'example.org' }, since: 3 }

async function openIndex(...entries: readonly object[]) {
  const path = join(await temporaryFolder(), 'vault-index.json')
  await writeFile(path, JSON.stringify({ version: 1, data: { entries } }))
  const corrupt: string[] = []
  const file = await openJsonFile({
    ...{ path, ...vaultIndexFile, clock: systemClock },
    onNotice: ({ detail }) => void corrupt.push(detail),
  })
  const index = new IndexEntries({ read: () => file.value, write: (next) => file.write(next) })
  const onDisk = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'))
  return { index, corrupt, onDisk }
}

test('what a newer Slipway lists stays on the list, and is nothing to this one', async () => {
  const { index, corrupt, onDisk } = await openIndex(ofNewer, passphrase)
  expect(corrupt).toEqual([])
  expect(index.all).toEqual([passphrase])
  await index.change((entries) => [...entries, apiKey])
  expect(index.all).toEqual([passphrase, apiKey])
  expect(await onDisk()).toEqual({ version: 3, data: { entries: [passphrase, apiKey, ofNewer] } })
})

test('an entry of a known kind that is not whole is none of a newer Slipway', async () => {
  const { index, corrupt } = await openIndex({ kind: 'passphrase', since: 1 })
  expect(corrupt).toHaveLength(1)
  expect(index.all).toEqual([])
})
