import type {
  AgainstInstance,
  FormerTenant,
  InstanceHostKeys,
  InstanceHostKeysFile,
} from '../../../domain/ssh/instance-host-keys.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import { isSameAddress } from '../../../domain/ssh/ssh-address.ts'
import type { HostKey, SshAddress } from '../../../domain/ssh/ssh.ts'

/** What an instance is remembered by, seen from a connection to it. */
export interface InstanceMemory {
  /** Those that it showed before and was trusted with. */
  readonly keys: () => readonly HostKey[]
  /** Whether the instance was logged in to at this address. */
  readonly wasAt: (address: SshAddress) => boolean
  /** What speaks against this key: the instance has others. `null` where it is one of them, or has none yet. */
  readonly against: (shown: HostKey) => AgainstInstance | null
  /** Which other instance was logged in to with this key; `null` for none of this account. */
  readonly otherWithKey: (shown: HostKey) => number | null
  /** Whether the user said yes to it for the instance, which hasn't been logged in to since. */
  readonly isAccepted: (shown: HostKey) => boolean
  /**
   * Which other instance is known to have had the address with all of these keys, and certainly isn't there anymore; `null`
   * where one may be, or nobody is known to have had them, such as an instance of another account.
   */
  readonly formerTenant: (address: SshAddress, keys: readonly HostKey[]) => FormerTenant | null
  /** The instance's other addresses as far as those are listed: whoever holds the key of one holds that of all. */
  readonly otherAddresses: (address: SshAddress) => readonly SshAddress[]
  /** The user said yes to this key; nothing has been logged in to. Does not throw: known_hosts has it as well. */
  readonly accept: (shown: HostKey) => Promise<void>
  /** The instance was logged in to with this key. Does not throw: the connection goes on. */
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
  /** All that is remembered, anew whenever that changes. */
  readonly latest: Latest<InstanceHostKeysFile>
  readonly #options: HostKeysByInstanceOptions

  constructor(options: HostKeysByInstanceOptions) {
    this.#options = options
    this.latest = new Latest(options.file.value)
  }

  /** Where the instance was logged in to, newest first. */
  addressesOf(instanceId: number): readonly SshAddress[] {
    return this.#of(instanceId)?.addresses ?? []
  }

  of(instanceId: number): InstanceMemory {
    return {
      keys: () => this.#of(instanceId)?.keys ?? [],
      wasAt: (address) => {
        const known = this.#of(instanceId)
        return known !== undefined && hasAddress(known, address)
      },
      against: (shown) => this.#against(instanceId, shown),
      otherWithKey: (shown) => this.#otherWithKey(instanceId, shown),
      isAccepted: (shown) => holds(this.#of(instanceId)?.accepted, shown),
      formerTenant: (address, keys) => this.#formerTenant(instanceId, address, keys),
      otherAddresses: (address) => {
        const listed = this.#options.whereIs(instanceId)
        if (listed === null || listed === 'gone') return []
        return listed.filter((each) => !isSameAddress(each, address))
      },
      accept: (shown) => this.#accept(instanceId, shown),
      remember: (shown, address) => this.#remember(instanceId, shown, address),
    }
  }

  /**
   * The user imported these keys for its address. One that has a key already, logged in to or accepted, gets none beside
   * it: another key would be believed without a question then. Does not throw.
   */
  async acceptImported(instanceId: number, keys: readonly HostKey[]): Promise<void> {
    const known = this.#of(instanceId)
    if (known !== undefined && trustedKeys(known).length > 0) return
    for (const key of keys) await this.#accept(instanceId, key)
  }

  /** Its keys, so that it may show another one; where it was stays known. @throws ProblemError storage-failed */
  async forget(instanceId: number): Promise<void> {
    const known = this.#of(instanceId)
    if (known === undefined || trustedKeys(known).length === 0) return
    const { addresses, seenAt } = known
    await this.#update((all) => ({ ...all, [instanceId]: { keys: [], addresses, seenAt } }))
  }

  async #update(change: (all: InstanceHostKeysFile) => InstanceHostKeysFile): Promise<void> {
    const { file } = this.#options
    await file.update(change)
    this.latest.set(file.value)
  }

  #of(instanceId: number): InstanceHostKeys | undefined {
    return this.#options.file.value[instanceId]
  }

  #against(instanceId: number, shown: HostKey): AgainstInstance | null {
    const known = this.#of(instanceId)
    const keys = known === undefined ? [] : trustedKeys(known)
    if (keys.length === 0 || holds(keys, shown)) return null
    return { keys, lastAddress: known?.addresses[0] ?? null, keyOf: this.#otherWithKey(instanceId, shown) }
  }

  #otherWithKey(instanceId: number, shown: HostKey): number | null {
    return this.#others(instanceId).find(([, other]) => hasKey(other, shown))?.[0] ?? null
  }

  #formerTenant(instanceId: number, address: SshAddress, keys: readonly HostKey[]): FormerTenant | null {
    const own = this.#of(instanceId)
    if (own !== undefined && keys.some((key) => hasKey(own, key))) return null
    const holders = this.#others(instanceId).filter(([, other]) => keys.some((key) => hasKey(other, key)))
    const mayBeThere = ([id]: readonly [number, unknown]): boolean => {
      const now = this.#options.whereIs(id)
      if (now === 'gone') return false
      // Not known where it is, or listed right there: then it may be the very one that answers.
      return now === null || now.length === 0 || now.some((each) => isSameAddress(each, address))
    }
    if (holders.some(mayBeThere)) return null
    const tenant = holders.find(
      ([, other]) => hasAddress(other, address) && keys.every((key) => hasKey(other, key)),
    )
    if (tenant === undefined) return null
    const [id] = tenant
    return { instanceId: id, fate: this.#options.whereIs(id) === 'gone' ? 'gone' : 'moved' }
  }

  /** Those that were seen last come first. */
  #others(instanceId: number): readonly (readonly [number, InstanceHostKeys])[] {
    return Object.entries(this.#options.file.value)
      .map(([id, known]) => [Number(id), known] as const)
      .filter(([id]) => id !== instanceId)
      .toSorted(([, one], [, other]) => other.seenAt - one.seenAt)
  }

  async #accept(instanceId: number, { algorithm, fingerprint }: HostKey): Promise<void> {
    const { now, log } = this.#options
    const at = now()
    const key = { algorithm, fingerprint, trustedAt: at }
    try {
      await this.#update((all) => {
        const known = all[instanceId] ?? { keys: [], addresses: [], seenAt: at }
        if (holds(trustedKeys(known), key)) return all
        const accepted = [key, ...(known.accepted ?? [])].slice(0, mostKeys)
        return this.#pruned({ ...all, [instanceId]: { ...known, accepted, seenAt: at } }, at)
      })
    } catch (error) {
      log.error('The host key that was accepted for an instance could not be remembered', error)
    }
  }

  async #remember(instanceId: number, shown: HostKey, address: SshAddress): Promise<void> {
    const { now, log } = this.#options
    const at = now()
    const known = this.#of(instanceId)
    const isFresh = known !== undefined && at - known.seenAt < seenEveryMs
    const isThere = known?.addresses[0] !== undefined && isSameAddress(known.addresses[0], address)
    if (isFresh && isThere && hasKey(known, shown)) return
    try {
      await this.#update((all) => {
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

/** What is known by its address only: a jump host, or an instance without a file. */
export const noMemory: InstanceMemory = {
  keys: () => [],
  wasAt: () => false,
  against: () => null,
  otherWithKey: () => null,
  // The list has it by that address.
  isAccepted: () => true,
  formerTenant: () => null,
  otherAddresses: () => [],
  accept: () => Promise.resolve(),
  remember: () => Promise.resolve(),
}

/** With what was accepted before a login. */
function trustedKeys({ keys, accepted = [] }: InstanceHostKeys): InstanceHostKeys['keys'] {
  return [...accepted, ...keys]
}

/** Whether it was logged in to with this key. */
function hasKey({ keys }: InstanceHostKeys, key: HostKey): boolean {
  return holds(keys, key)
}

function holds(keys: readonly HostKey[] | undefined, { fingerprint }: HostKey): boolean {
  return keys?.some((key) => key.fingerprint === fingerprint) ?? false
}

function hasAddress({ addresses }: InstanceHostKeys, address: SshAddress): boolean {
  return addresses.some((each) => isSameAddress(each, address))
}
