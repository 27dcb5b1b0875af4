import type { AgainstInstance, FormerTenant } from '../../../domain/ssh/instance-host-keys.ts'
import type { HostKey, SshAddress } from '../../../domain/ssh/ssh.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'
import { noMemory, type InstanceMemory } from './host-keys-by-instance.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import { judgeHostKey, keysOf, knownHostsLine, type KnownHost } from './known-hosts.ts'
import { algorithmOf, fingerprintOf } from '../protocol/public-key.ts'

/**
 * Asks the user about a host's key that is not known; resolves to whether it is trusted.
 *
 * @param formerly the instance that the address belonged to with another key, which is in the way
 */
export type AskHostKey = (offered: HostKey, formerly: FormerTenant | null) => Promise<boolean>

export interface HostKeyCheck {
  /** Algorithms of the keys that the host is trusted with. */
  readonly knownAlgorithms: readonly string[]
  /**
   * Before anything is sent to the host. Resolves when it may be trusted. Called again at each key exchange
   * of the connection, where the host must show the same key.
   *
   * @param key in SSH's wire format
   * @throws HostKeyChanged, SshFailure
   */
  readonly verify: (key: Buffer) => Promise<void>
}

export interface HostKeyCheckOptions {
  readonly ask: AskHostKey
  /** Of the instance that is connected to; a jump host is known by its address only. */
  readonly memory?: InstanceMemory
  /** The instance shows the key that it had before, at an address that was not known. */
  readonly onNewAddress?: () => void
}

/** What is to be done about a key that a host shows. */
type Decision =
  | { readonly kind: 'trust' }
  /** It is the instance's own, at an address that is not known. */
  | { readonly kind: 'add' }
  /** `inTheWay`: what is known of the address, by another instance that had it. */
  | { readonly kind: 'ask'; readonly formerly: FormerTenant | null; readonly inTheWay: readonly KnownHost[] }

/** @throws SshFailure `known-hosts-unusable`: without the file no host can be told from another */
export async function prepareHostKeyCheck(
  file: KnownHostsFile,
  address: SshAddress,
  { ask, memory = noMemory, onNewAddress }: HostKeyCheckOptions,
): Promise<HostKeyCheck> {
  const known = keysOf(await orUnusable(() => file.read()), address)
  let accepted: Buffer | null = null

  async function verify(key: Buffer): Promise<void> {
    if (accepted?.equals(key)) return
    const algorithm = algorithmOf(key)
    if (algorithm === null) throw new SshFailure({ kind: 'not-ssh', detail: 'its host key is malformed' })
    if (accepted !== null) throw new SshFailure({ kind: 'host-key-refused' })
    const offered: HostKey = { algorithm, fingerprint: fingerprintOf(key) }
    const decision = await decide(key, offered)
    if (decision.kind !== 'trust') {
      if (decision.kind === 'ask') {
        if (!(await ask(offered, decision.formerly))) throw new SshFailure({ kind: 'host-key-refused' })
        if (decision.inTheWay.length > 0) await orUnusable(() => file.remove(decision.inTheWay))
      }
      // Meanwhile another terminal may have asked the same, or been given another key.
      await orUnusable(() =>
        file.appendBy((now) =>
          judgeHostKey(now, address, key).kind === 'unknown' ? [knownHostsLine(address, algorithm, key)] : [],
        ),
      )
      if ((await decide(key, offered)).kind !== 'trust') throw new SshFailure({ kind: 'host-key-refused' })
    }
    await memory.remember(offered, address)
    if (decision.kind === 'add') onNewAddress?.()
    accepted = Buffer.from(key)
  }

  /** By the file and what is remembered as they are now. @throws HostKeyChanged */
  async function decide(key: Buffer, offered: HostKey): Promise<Decision> {
    const entries = await orUnusable(() => file.read())
    const verdict = judgeHostKey(entries, address, key)
    const against = memory.against(offered)
    const alarm = (stored: readonly KnownHost[], why: AgainstInstance | null, revoked = false): never => {
      const changed = { address, offered, trusted: stored.map(shown), revoked }
      throw new HostKeyChanged({ ...changed, ...(why && { ofInstance: why }) })
    }
    switch (verdict.kind) {
      case 'revoked':
        return alarm(verdict.stored, null, true)
      case 'trusted': {
        // A line that the user has written counts; one that is another instance's does not stand for this one.
        const lines = keysOf(entries, address).filter((entry) => entry.key.equals(key))
        return against === null || against.keyOf === null ? { kind: 'trust' } : alarm(lines, against)
      }
      case 'unknown':
        if (against !== null) return alarm([], against)
        return memory.isNewAddress(offered, address)
          ? { kind: 'add' }
          : { kind: 'ask', formerly: null, inTheWay: [] }
      case 'changed': {
        const formerly = against === null ? memory.formerTenant(address, verdict.stored.map(shown)) : null
        return formerly === null
          ? alarm(verdict.stored, against)
          : { kind: 'ask', formerly, inTheWay: verdict.stored }
      }
    }
  }

  const trusted = known.filter(({ marker }) => marker === null)
  const algorithms = trusted.length > 0 ? trusted : memory.keys()
  return { knownAlgorithms: algorithms.map(({ algorithm }) => algorithm), verify }
}

function shown({ algorithm, key, line }: KnownHost): HostKey & { readonly line: number } {
  return { algorithm, fingerprint: fingerprintOf(key), line }
}

async function orUnusable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new SshFailure({ kind: 'known-hosts-unusable', detail }, { cause: error })
  }
}
