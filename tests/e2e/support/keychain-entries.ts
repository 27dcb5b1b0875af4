import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { development } from '../../../src-main/desktop/app-identity.ts'
import { entryOf as hostPasswordOf } from '#services/vault/keys/host-passwords.ts'
import { isKnown, vaultIndex, type IndexEntry } from '#services/vault/vault-index.ts'
import { keytarReply, type KeytarRequest } from '#services/vault/keychain/keytar-messages.ts'
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
  const keychain = openKeychainOf(keyring, development.name)
  try {
    const found = new Map<string, string | null>()
    for (const account of entries.filter(isKnown).map(nameOf)) {
      const value = await keychain.get(account)
      found.set(account, value === null ? null : plain(value))
    }
    return found
  } finally {
    keychain.close()
  }
}

/** Entries of the keychain as they are, under the name of the program that wrote them. */
export interface OpenKeychain {
  readonly get: (account: string) => Promise<string | null>
  readonly set: (account: string, value: string) => Promise<void>
  readonly close: () => void
}

/** Another program of the same user, with the real keytar. */
export function openKeychainOf(keyring: World['keyring'], service: string): OpenKeychain {
  const program = fileURLToPath(new URL('../../integration/vault/keychain/keytar-child.ts', import.meta.url))
  const child = fork(program, [service], { env: { PATH: process.env['PATH'], ...keyring?.env } })
  const ask = async (request: Omit<KeytarRequest, 'id'>): Promise<string | null> => {
    child.send({ id: 0, ...request } satisfies KeytarRequest)
    const reply = keytarReply.parse((await once(child, 'message'))[0])
    if (!reply.ok) throw new Error(reply.message)
    return typeof reply.result === 'string' ? reply.result : null
  }
  return {
    get: (account) => ask({ call: 'get', account }),
    set: async (account, value) => {
      await ask({ call: 'set', account, value })
    },
    close: () => void child.kill('SIGKILL'),
  }
}

function nameOf(entry: IndexEntry): string {
  switch (entry.kind) {
    case 'api-key':
      return `apikey/${entry.keyId}`
    case 'session-key':
      return `session/${entry.keyId}`
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
