import { newerFile } from '../domain/base/file-version.ts'
import type { Log } from '../domain/base/log.ts'
import { openJsonFile, type JsonFilePlace } from '../services/storage/json-file.ts'
import { makeEd25519KeyPair } from '../services/ssh/keys/key-pair.ts'
import type { Emptied } from '../services/diagnostics/reset.ts'
import type { Surroundings } from './dependencies.ts'
import { forgetAll } from '../services/vault/forget-all.ts'
import { createKeychain, type Keychain } from '../services/vault/keychain/keychain.ts'
import { rememberedClock, TrueClock } from '../services/vault/codes/true-clock.ts'
import { vaultIndexFile, type VaultIndexFile } from '../services/vault/vault-index.ts'
import { createVault, type Vault } from '../services/vault/vault.ts'

export interface OpenVaultOptions {
  readonly surroundings: Pick<Surroundings, 'keychain' | 'clock' | 'randomId' | 'machineTimes'>
  /** Where a file of this name is kept. */
  readonly file: (name: string) => JsonFilePlace
  readonly remember: (secret: string) => void
  readonly log: Log
  readonly signal: AbortSignal
}

/** The system may be asking its user for a password meanwhile. */
const keychainDeadlineMs = 30_000
/** How long the window waits for a keychain that is slow to answer; it is told the answer later. */
const keychainPatienceMs = 2_000

/**
 * The part of the composition root that opens the vault: the keychain, the list of what is in it, and the clock
 * that its codes go by.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openVault(
  options: OpenVaultOptions,
): Promise<{ readonly keychain: Keychain; readonly vault: Vault; readonly trueClock: TrueClock }> {
  const { file, remember, log, signal } = options
  const { clock, randomId, machineTimes } = options.surroundings
  const { keychain, index } = await openKeychain(options)
  const remembered = await openJsonFile({
    ...file('clock.json'),
    schema: rememberedClock,
    fallback: null,
  })
  const trueClock = new TrueClock({ times: machineTimes, file: remembered, log })
  const vault = createVault({
    keychain,
    index,
    clock,
    trueClock,
    randomId,
    makeKeyPair: makeEd25519KeyPair,
    remember,
  })
  await Promise.race([vault.check(), clock.sleep(keychainPatienceMs, signal)])
  return { keychain, vault, trueClock }
}

/**
 * Takes all that Slipway keeps out of the keychain, before anything of it is used.
 *
 * @throws ProblemError storage-failed
 */
export async function emptyVault({
  file,
  surroundings,
}: Pick<OpenVaultOptions, 'file'> & {
  readonly surroundings: Pick<Surroundings, 'keychain' | 'clock'>
}): Promise<Emptied> {
  const unreadable: string[] = []
  const opened = await openKeychain({
    surroundings,
    file: (name) => {
      const options = file(name)
      const onNotice: typeof options.onNotice = (notice) => {
        if (notice.kind === 'unreadable') unreadable.push(notice.keptAs)
        options.onNotice(notice)
      }
      return { ...options, onNotice }
    },
  })
  const [keptAs] = unreadable
  // An empty list would say that nothing is left.
  if (keptAs !== undefined) return { kind: 'index-unreadable', keptAs }
  if (opened.isNewer) return { kind: 'secrets-of-newer' }
  if (!(await forgetAll(opened))) return { kind: 'keychain-closed' }
  return { kind: opened.index.read().entries.length > 0 ? 'secrets-of-newer' : 'emptied' }
}

async function openKeychain({
  file,
  surroundings: { keychain: backend, clock },
}: Parameters<typeof emptyVault>[0]): Promise<{
  readonly keychain: Keychain
  readonly index: VaultIndexFile
  /** What only a newer Slipway can tell is in the keychain: nothing in it is changed. */
  readonly isNewer: boolean
}> {
  const index = await openJsonFile({
    ...file('vault-index.json'),
    ...vaultIndexFile,
  })
  const path = file('vault-index.json').path
  const keychain = createKeychain({ backend, clock, deadlineMs: keychainDeadlineMs })
  return {
    keychain: index.isNewer ? unchanged(keychain, path) : keychain,
    isNewer: index.isNewer,
    index: { read: () => index.value, write: (next) => index.write(next) },
  }
}

/** The same keychain, of which nothing is changed: what is in it, the index at `path` would tell. */
function unchanged(keychain: Keychain, path: string): Keychain {
  const refuse = (): Promise<never> => Promise.reject(newerFile(path))
  return { ...keychain, write: refuse, remove: refuse }
}
