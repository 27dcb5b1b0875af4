import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entryOf as hostPasswordOf } from '../../src-main/vault/keys/host-passwords.ts'
import { isKnown, vaultIndex, type IndexEntry } from '../../src-main/vault/vault-index.ts'
import { keytarReply, type KeytarRequest } from '../../src-main/vault/keytar-messages.ts'
import type { World } from './world.ts'

/**
 * What is in the keychain now, read by another program of the same user: the JSON of each entry that the app lists,
 * by its name; `null` where there is none.
 */
export async function keychainEntries({
  keyring,
  userData,
}: Pick<World, 'keyring' | 'userData'>): Promise<ReadonlyMap<string, string | null>> {
  const text = await readFile(join(userData, 'vault-index.json'), 'utf8')
  const { entries } = vaultIndex.parse((JSON.parse(text) as { readonly data: unknown }).data)
  const program = fileURLToPath(new URL('../integration/vault/keytar-child.ts', import.meta.url))
  const child = fork(program, { env: { PATH: process.env['PATH'], ...keyring?.env } })
  try {
    const found = new Map<string, string | null>()
    for (const [id, account] of entries.filter(isKnown).map(nameOf).entries()) {
      child.send({ id, call: 'get', account } satisfies KeytarRequest)
      const reply = keytarReply.parse((await once(child, 'message'))[0])
      if (!reply.ok) throw new Error(reply.message)
      found.set(account, typeof reply.result === 'string' ? plain(reply.result) : null)
    }
    return found
  } finally {
    child.kill('SIGKILL')
  }
}

function nameOf(entry: IndexEntry): string {
  switch (entry.kind) {
    case 'api-key':
      return `apikey/${entry.accountId}`
    case 'session-key':
      return `session/${entry.accountId}`
    case 'instance-key':
      return `instance-key/${entry.owner}/${entry.instanceId}`
    case 'passphrase':
      return `passphrase/${entry.path}`
    case 'host-password':
      return hostPasswordOf(entry)
    case 'ssh-key':
      return `ssh/${entry.id}`
    case 'totp':
      return `totp/${entry.listing.id}`
    case 'backup-codes':
      return `backup/${entry.listing.id}`
  }
}

/** `v1.` and base64url of JSON. */
function plain(value: string): string {
  return Buffer.from(value.slice('v1.'.length), 'base64url').toString()
}
