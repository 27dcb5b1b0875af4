import type { AgainstInstance } from '../../../domain/ssh/instance-host-keys.ts'
import { isSameAddress } from '../../../domain/ssh/ssh-address.ts'
import type { HostKeyDoubts } from '../../../domain/ssh/ssh-connection.ts'
import type { HostKey, SshAddress } from '../../../domain/ssh/ssh.ts'
import { HostKeyChanged, SshFailure } from '../failure.ts'
import { noMemory, type InstanceMemory } from './host-keys-by-instance.ts'
import type { KnownHostsFile } from './known-hosts-file.ts'
import {
  judgeHostKey,
  keysOf,
  knownHostsLine,
  trustedOf,
  type HostKeyVerdict,
  type KnownHost,
} from './known-hosts.ts'
import { algorithmOf, fingerprintOf } from '../protocol/public-key.ts'

/**
 * Asks the user about a host's key that is not known; resolves to whether it is trusted.
 *
 * @param alsoAt where else it's trusted without a question, once the instance was logged in to with it
 */
export type AskHostKey = (
  offered: HostKey,
  doubts: HostKeyDoubts,
  alsoAt: readonly SshAddress[],
) => Promise<boolean>

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
  /**
   * The host was logged in to: its key and address are the instance's from now on. What the user has said yes to is in
   * known_hosts before.
   *
   * @throws SshFailure `known-hosts-unusable`
   */
  readonly remember: () => Promise<void>
}

export interface HostKeyCheckOptions {
  readonly ask: AskHostKey
  /** Of the instance that is connected to; a jump host is known by its address only. */
  readonly memory?: InstanceMemory
  /** Where else the instance is, besides what is listed. */
  readonly otherAddresses?: readonly SshAddress[]
  /** The instance shows the key that it had before, at an address that was not known. */
  readonly onNewAddress?: () => void
  /** It shows a key, whatever becomes of it. */
  readonly onHostKey?: () => void
}

/** What is to be done about a key that a host shows. */
type Decision =
  | { readonly kind: 'trust' }
  /** The instance was logged in to with it at another address, and never at this one, of which nothing is known. */
  | { readonly kind: 'add' }
  /** `inTheWay`: what is known of this address, by another instance that had it. */
  | {
      readonly kind: 'ask'
      readonly doubts: HostKeyDoubts
      readonly alsoAt: readonly SshAddress[]
      readonly inTheWay: readonly KnownHost[]
    }

/** What the list says of the key at another address of the instance. */
interface Elsewhere {
  readonly other: SshAddress
  readonly verdict: HostKeyVerdict
}

/** @throws SshFailure `known-hosts-unusable`: without the file no host can be told from another */
export async function prepareHostKeyCheck(
  file: KnownHostsFile,
  address: SshAddress,
  { ask, memory = noMemory, otherAddresses = [], onNewAddress, onHostKey }: HostKeyCheckOptions,
): Promise<HostKeyCheck> {
  const others = [...memory.otherAddresses(address), ...otherAddresses].filter(
    (each, index, all) =>
      !isSameAddress(each, address) && all.findIndex((other) => isSameAddress(other, each)) === index,
  )
  const before = await orUnusable(() => file.read())
  let accepted: Buffer | null = null
  let toRemember: (() => Promise<void>) | null = null

  async function verify(key: Buffer): Promise<void> {
    if (accepted?.equals(key)) return
    const algorithm = algorithmOf(key)
    if (algorithm === null) throw new SshFailure({ kind: 'not-ssh', detail: { code: 'bad-host-key' } })
    onHostKey?.()
    if (accepted !== null) throw new SshFailure({ kind: 'host-key-refused' })
    const offered: HostKey = { algorithm, fingerprint: fingerprintOf(key) }
    const decision = decide(await orUnusable(() => file.read()), key, offered)
    // Meanwhile another terminal may have asked the same, or been given another key.
    const add = (): Promise<unknown> =>
      orUnusable(() =>
        file.appendBy((now) =>
          judgeHostKey(now, address, key).kind === 'unknown' ? [knownHostsLine(address, algorithm, key)] : [],
        ),
      )
    if (decision.kind === 'ask') {
      if (!(await ask(offered, decision.doubts, decision.alsoAt)))
        throw new SshFailure({ kind: 'host-key-refused' })
      if (decision.inTheWay.length > 0) await orUnusable(() => file.remove(decision.inTheWay, address))
      await add()
      const now = await orUnusable(() => file.read())
      decide(now, key, offered)
      if (judgeHostKey(now, address, key).kind !== 'trusted')
        throw new SshFailure({ kind: 'host-key-refused' })
      await memory.accept(offered)
    }
    accepted = Buffer.from(key)
    toRemember = async () => {
      if (decision.kind === 'add') await add()
      await memory.remember(offered, address)
      if (decision.kind === 'add') onNewAddress?.()
    }
  }

  /** By the file and what is remembered as they are now. @throws HostKeyChanged */
  function decide(entries: readonly KnownHost[], key: Buffer, offered: HostKey): Decision {
    const verdict = judgeHostKey(entries, address, key)
    const elsewhere = others.map((other) => ({ other, verdict: judgeHostKey(entries, other, key) }))
    const alarm = (stored: readonly KnownHost[], ofInstance: AgainstInstance | null = null): never => {
      const trusted = stored.map(shown)
      throw new HostKeyChanged({
        address,
        offered,
        trusted,
        revoked: false,
        ...(ofInstance && { ofInstance }),
      })
    }
    // A key that is revoked for one of its addresses is good for none.
    for (const each of [verdict, ...elsewhere.map(({ verdict: there }) => there)])
      if (each.kind === 'revoked')
        throw new HostKeyChanged({ address, offered, trusted: each.stored.map(shown), revoked: true })
    const against = memory.against(offered)
    if (against !== null) {
      const isItsOwn = ({ key: stored }: KnownHost): boolean =>
        against.keys.some(({ fingerprint }) => fingerprint === fingerprintOf(stored))
      const ofOthers = elsewhere.flatMap(({ verdict: there }) =>
        there.kind === 'changed' ? there.stored.filter(isItsOwn) : [],
      )
      const here = verdict.kind === 'changed' ? verdict.stored : []
      const same = keysOf(entries, address).filter((entry) => entry.key.equals(key))
      return alarm([...here, ...same, ...ofOthers].filter(isFirstOfItsLine), against)
    }
    const isItsOwn = memory.keys().some(({ fingerprint }) => fingerprint === offered.fingerprint)
    const kind = isItsOwn ? takesOwnKey(verdict, address) : null
    if (kind !== null) return { kind }

    const inTheWay = verdict.kind === 'changed' ? verdict.stored : []
    const formerly = inTheWay.length === 0 ? null : memory.formerTenant(address, inTheWay.map(shown))
    if (inTheWay.length > 0 && formerly === null) return alarm(inTheWay)
    if (verdict.kind === 'trusted' && memory.isAccepted(offered)) return { kind: 'trust' }
    // The service gives addresses again: the line may be of an instance that is gone, or of another account's.
    const listed = verdict.kind === 'trusted' ? { keyOf: memory.otherWithKey(offered) } : null
    const [stored] = isItsOwn ? [] : elsewhere.flatMap(doubt)
    const doubts = { ...(formerly && { formerly }), ...(listed && { listed }), ...(stored && { stored }) }
    const alsoAt = elsewhere.flatMap((one) =>
      takesOwnKey(one.verdict, one.other) === null ? [] : [one.other],
    )
    return { kind: 'ask', doubts, alsoAt, inTheWay }
  }

  /** How a key that the instance was logged in to with is taken at one of its addresses without a question; else `null`. */
  function takesOwnKey(verdict: HostKeyVerdict, at: SshAddress): 'trust' | 'add' | null {
    if (verdict.kind === 'trusted') return 'trust'
    return verdict.kind === 'unknown' && !memory.wasAt(at) ? 'add' : null
  }

  /** Another key at another address, which no instance is known to have left there. */
  function doubt({ other, verdict }: Elsewhere): readonly NonNullable<HostKeyDoubts['stored']>[] {
    if (verdict.kind !== 'changed') return []
    const keys = verdict.stored.map(shown)
    return memory.formerTenant(other, keys) === null ? [{ address: other, keys }] : []
  }

  const trusted = trustedOf(before, address)
  const remembered = [...memory.keys(), ...others.flatMap((other) => trustedOf(before, other))]
  const algorithms = trusted.length > 0 ? trusted : remembered
  return {
    knownAlgorithms: algorithms.map(({ algorithm }) => algorithm),
    verify,
    remember: async () => toRemember?.(),
  }
}

/** One line may stand for both addresses. */
function isFirstOfItsLine({ line }: KnownHost, index: number, all: readonly KnownHost[]): boolean {
  return all.findIndex((other) => other.line === line) === index
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
