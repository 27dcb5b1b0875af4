import type { HostKey, SshAddress } from '../domain/ssh.ts'
import { HostKeyChanged, SshFailure } from './failure.ts'
import { fingerprintOf } from './key-pair.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import { algorithmOf, judgeHostKey, keysOf, knownHostsLine, type KnownHost } from './known-hosts.ts'

/** Asks the user about a host's key that is not known; resolves to whether it is trusted. */
export type AskHostKey = (offered: HostKey) => Promise<boolean>

export interface HostKeyCheck {
  /** Algorithms of the keys that are stored for the host. */
  readonly knownAlgorithms: readonly string[]
  /**
   * Before anything is sent to the host. Resolves when it may be trusted.
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
  const known = await orUnusable(() => file.read())

  async function verify(key: Buffer): Promise<void> {
    const algorithm = algorithmOf(key) ?? 'unknown'
    const offered: HostKey = { algorithm, fingerprint: fingerprintOf(key) }
    const verdict = judgeHostKey(known, address, key)
    switch (verdict.kind) {
      case 'trusted':
        return
      case 'unknown':
        if (!(await ask(offered))) throw new SshFailure({ kind: 'host-key-refused' })
        await orUnusable(() => file.append(knownHostsLine(address, algorithm, key)))
        return
      case 'changed':
      case 'revoked':
        throw new HostKeyChanged({
          offered,
          trusted: verdict.stored.map(shown),
          revoked: verdict.kind === 'revoked',
        })
    }
  }

  return { knownAlgorithms: keysOf(known, address).map(({ algorithm }) => algorithm), verify }
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
