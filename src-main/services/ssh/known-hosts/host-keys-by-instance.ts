import type {
  AgainstInstance,
  FormerTenant,
  InstanceHostKeys,
  InstanceHostKeysFile,
} from '../../../domain/ssh/instance-host-keys.ts'
import type { Log } from '../../../domain/base/log.ts'
import type { HostKey, SshAddress } from '../../../domain/ssh/ssh.ts'

/** What an instance is remembered by, seen from a connection to it. */
export interface InstanceMemory {
  /** Those that it showed before and was trusted with. */
  readonly keys: () => readonly HostKey[]
  /**
   * Whether the key is the instance's own and the address new to it. Where the address is not new, somebody has taken
   * its line out of known_hosts, and wants to be asked.
   */
  readonly isNewAddress: (shown: HostKey, address: SshAddress) => boolean
  /** What speaks against this key: the instance has others. `null` where it is one of them, or has none yet. */
  readonly against: (shown: HostKey) => AgainstInstance | null
  /** Another instance that was reached at this address with all these keys, and certainly is not there any more. */
  readonly formerTenant: (address: SshAddress, keys: readonly HostKey[]) => FormerTenant | null
  /** The instance was connected to with this key, which is trusted. Does not throw: the connection goes on. */
  readonly remember: (shown: HostKey, address: SshAddress) => Promise<void>
}

export interface HostKeysByInstanceOptions {
  readonly file: {
    readonly value: InstanceHostKeysFile
    readonly update: (change: (all: InstanceHostKeysFile) => InstanceHostKeysFile) => Promise<unknown>
  }
  /** Where an instance answers as far as that is listed; `gone` when it is listed no more, `null` when no list is there. */
  readonly whereIs: (instanceId: number) => readonly SshAddress[] | 'gone' | null
  readonly now: () => number
  readonly log: Log
}

/** For each instance; beyond it the oldest make room. */
const mostKeys = 8
const mostAddresses = 8
/** Beyond it those that were seen longest ago make room. */
const mostInstances = 5000
/** An instance that nobody has connected to for so long is forgotten once it is gone. */
const forgottenAfterMs = 365 * 24 * 3_600_000
/** That an instance was seen again is not written more often. */
const seenEveryMs = 24 * 3_600_000

/** Host keys by instance, beside known_hosts, which has them by address: an instance takes its key along. */
export class HostKeysByInstance {
  readonly #options: HostKeysByInstanceOptions

  constructor(options: HostKeysByInstanceOptions) {
    this.#options = options
  }

  of(instanceId: number): InstanceMemory {
    return {
      keys: () => this.#of(instanceId)?.keys ?? [],
      isNewAddress: (shown, address) => {
        const known = this.#of(instanceId)
        return known !== undefined && hasKey(known, shown) && !hasAddress(known, address)
      },
      against: (shown) => this.#against(instanceId, shown),
      formerTenant: (address, keys) => this.#formerTenant(instanceId, address, keys),
      remember: (shown, address) => this.#remember(instanceId, shown, address),
    }
  }

  /** Its keys, so that it may show another one; where it was stays known. @throws ProblemError storage-failed */
  async forget(instanceId: number): Promise<void> {
    const known = this.#of(instanceId)
    if (known === undefined || known.keys.length === 0) return
    await this.#options.file.update((all) => ({ ...all, [instanceId]: { ...known, keys: [] } }))
  }

  #of(instanceId: number): InstanceHostKeys | undefined {
    return this.#options.file.value[instanceId]
  }

  #against(instanceId: number, shown: HostKey): AgainstInstance | null {
    const known = this.#of(instanceId)
    if (known === undefined || known.keys.length === 0 || hasKey(known, shown)) return null
    const owner = this.#others(instanceId).find(([, other]) => hasKey(other, shown))
    return { keys: known.keys, lastAddress: known.addresses[0] ?? null, keyOf: owner?.[0] ?? null }
  }

  #formerTenant(instanceId: number, address: SshAddress, keys: readonly HostKey[]): FormerTenant | null {
    const tenant = this.#others(instanceId).find(
      ([, other]) => hasAddress(other, address) && keys.every((key) => hasKey(other, key)),
    )
    if (tenant === undefined) return null
    const [id] = tenant
    const now = this.#options.whereIs(id)
    if (now === 'gone') return { instanceId: id, fate: 'gone' }
    // Not known where it is, or listed right there: then it may be the very one that answers.
    if (now === null || now.length === 0 || now.some((each) => isSameAddress(each, address))) return null
    return { instanceId: id, fate: 'moved' }
  }

  /** Those that were seen last come first. */
  #others(instanceId: number): readonly (readonly [number, InstanceHostKeys])[] {
    return Object.entries(this.#options.file.value)
      .map(([id, known]) => [Number(id), known] as const)
      .filter(([id]) => id !== instanceId)
      .toSorted(([, one], [, other]) => other.seenAt - one.seenAt)
  }

  async #remember(instanceId: number, shown: HostKey, address: SshAddress): Promise<void> {
    const { file, now, log } = this.#options
    const at = now()
    const known = this.#of(instanceId)
    const isFresh = known !== undefined && at - known.seenAt < seenEveryMs
    const isThere = known?.addresses[0] !== undefined && isSameAddress(known.addresses[0], address)
    if (isFresh && isThere && hasKey(known, shown)) return
    try {
      await file.update((all) => {
        const before = all[instanceId] ?? { keys: [], addresses: [], seenAt: at }
        const { algorithm, fingerprint } = shown
        const keys = hasKey(before, shown)
          ? before.keys
          : [{ algorithm, fingerprint, trustedAt: at }, ...before.keys].slice(0, mostKeys)
        const others = before.addresses.filter((each) => !isSameAddress(each, address))
        const addresses = [address, ...others].slice(0, mostAddresses)
        return this.#pruned({ ...all, [instanceId]: { keys, addresses, seenAt: at } }, at)
      })
    } catch (error) {
      log.error('The host key of an instance could not be remembered', error)
    }
  }

  #pruned(all: InstanceHostKeysFile, at: number): InstanceHostKeysFile {
    const isWanted = ([id, { seenAt }]: readonly [string, InstanceHostKeys]): boolean =>
      at - seenAt < forgottenAfterMs || this.#options.whereIs(Number(id)) !== 'gone'
    const newest = Object.entries(all)
      .filter(isWanted)
      .toSorted(([, one], [, other]) => other.seenAt - one.seenAt)
    return Object.fromEntries(newest.slice(0, mostInstances))
  }
}

/** What nothing is remembered of: a jump host, or an instance without a file. */
export const noMemory: InstanceMemory = {
  keys: () => [],
  isNewAddress: () => false,
  against: () => null,
  formerTenant: () => null,
  remember: () => Promise.resolve(),
}

function hasKey({ keys }: InstanceHostKeys, { fingerprint }: HostKey): boolean {
  return keys.some((key) => key.fingerprint === fingerprint)
}

function hasAddress({ addresses }: InstanceHostKeys, address: SshAddress): boolean {
  return addresses.some((each) => isSameAddress(each, address))
}

function isSameAddress(one: SshAddress, other: SshAddress): boolean {
  return one.host.toLowerCase() === other.host.toLowerCase() && one.port === other.port
}
