import type { HostKey, SshAddress } from '../domain/ssh.ts'
import { HostKeyChanged, SshFailure } from './failure.ts'
import { fingerprintOf } from './key-pair.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import { algorithmOf, judgeHostKey, keysOf, knownHostsLine, type KnownHost } from './known-hosts.ts'

/** Asks the user about a host's key that is not known; resolves to whether it is trusted. */
export type AskHostKey = (offered: HostKey) => Promise<boolean>

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

/** @throws SshFailure `known-hosts-unusable`: without the file no host can be told from another */
export async function prepareHostKeyCheck(
  file: KnownHostsFile,
  address: SshAddress,
  ask: AskHostKey,
): Promise<HostKeyCheck> {
  const known = keysOf(await orUnusable(() => file.read()), address)
  let accepted: Buffer | null = null

  async function verify(key: Buffer): Promise<void> {
    if (accepted?.equals(key)) return
    const algorithm = algorithmOf(key)
    if (algorithm === null) throw new SshFailure({ kind: 'not-ssh', detail: 'its host key is malformed' })
    if (accepted !== null) throw new SshFailure({ kind: 'host-key-refused' })
    const offered: HostKey = { algorithm, fingerprint: fingerprintOf(key) }
    if (!(await isTrusted(key, offered))) {
      if (!(await ask(offered))) throw new SshFailure({ kind: 'host-key-refused' })
      // Meanwhile another terminal may have asked the same, or been given another key.
      await orUnusable(() =>
        file.appendBy((now) =>
          judgeHostKey(now, address, key).kind === 'unknown' ? [knownHostsLine(address, algorithm, key)] : [],
        ),
      )
      if (!(await isTrusted(key, offered))) throw new SshFailure({ kind: 'host-key-refused' })
    }
    accepted = Buffer.from(key)
  }

  /** By the file as it is now. */
  async function isTrusted(key: Buffer, offered: HostKey): Promise<boolean> {
    const verdict = judgeHostKey(await orUnusable(() => file.read()), address, key)
    switch (verdict.kind) {
      case 'trusted':
        return true
      case 'unknown':
        return false
      case 'changed':
      case 'revoked':
        throw new HostKeyChanged({
          address,
          offered,
          trusted: verdict.stored.map(shown),
          revoked: verdict.kind === 'revoked',
        })
    }
  }

  const trusted = known.filter(({ marker }) => marker === null)
  return { knownAlgorithms: trusted.map(({ algorithm }) => algorithm), verify }
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
