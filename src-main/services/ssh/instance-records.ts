import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { InstanceRecord, InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { InstancesList } from '../../domain/instances/listed-instance.ts'
import { isWithoutAnswer } from '../../domain/rental-api/service-errors.ts'
import { sshAddressesOf } from '../../domain/ssh/ssh-address.ts'
import type { SshAddress } from '../../domain/ssh/ssh.ts'
import type { Target } from './connection/route.ts'
import { within } from './deadline.ts'
import type { ListedPlaces } from './known-hosts/known-hosts-import.ts'

export interface InstanceRecordsOptions {
  /** Asks the service for one instance. @param isRepeatable whether a passing failure is tried again */
  readonly ask: (
    instanceId: number,
    how: { readonly isRepeatable?: boolean; readonly signal?: AbortSignal },
  ) => Promise<InstanceRecord>
  /** What was last seen of all instances, in this run or an earlier one. */
  readonly list: Latest<Pick<InstancesList, 'instances' | 'fetchedAt' | 'problem'>>
  readonly clock: Clock
}

interface KnownRecord {
  readonly record: InstanceRecord
  /** When the service gave it, ms since the epoch. */
  readonly at: number
}

/** A connection doesn't wait longer for the service where an address is known: SSH doesn't need the service. */
const patienceMs = 5_000

/**
 * Where instances are, for whoever connects to them: the service is asked each time, and while it can't be asked, its
 * last word counts. Whether the instance is still there and still the same is for its host key to say.
 */
export class InstanceRecords {
  readonly #options: InstanceRecordsOptions
  /** As each was asked for last, which may be newer than the list. */
  readonly #told = new Map<number, KnownRecord>()
  /** The newest question about each; one that was given up may still come to its end. */
  readonly #questions = new Map<number, { asOf: number | null }>()

  constructor(options: InstanceRecordsOptions) {
    this.#options = options
  }

  /**
   * @param as `listed`: of what is known already the service isn't asked
   * @throws ProblemError with what the service says of it, or why it can't be asked where nothing is known
   */
  async find(instanceId: number, as: 'current' | 'listed' = 'current'): Promise<InstanceRecord> {
    const { ask, list, clock } = this.#options
    const question: { asOf: number | null } = { asOf: null }
    this.#questions.set(instanceId, question)
    const known = this.#known(instanceId)
    if (as === 'listed' && known !== null) {
      if (list.value.problem !== null) question.asOf = known.at
      return known.record
    }
    try {
      // A service that is known to be away is asked once: it may be back.
      const record = await (known === null
        ? ask(instanceId, {})
        : this.#askInTime(instanceId, list.value.problem === null))
      this.#told.set(instanceId, { record, at: clock.now() })
      return record
    } catch (error) {
      if (known === null || !isUnanswered(error)) throw error
      question.asOf = known.at
      return known.record
    }
  }

  /**
   * When the service gave the record that was found last, ms since the epoch, where that is an older one; `null` where
   * the service was asked for it.
   */
  asOf(instanceId: number): number | null {
    return this.#questions.get(instanceId)?.asOf ?? null
  }

  async #askInTime(instanceId: number, isRepeatable: boolean): Promise<InstanceRecord> {
    const { ask, clock } = this.#options
    const over = new AbortController()
    try {
      const asking = ask(instanceId, { isRepeatable, signal: over.signal })
      return await within(clock, patienceMs, asking, () => new TooLate())
    } finally {
      over.abort()
    }
  }

  #known(instanceId: number): KnownRecord | null {
    const { instances, fetchedAt } = this.#options.list.value
    const told = this.#told.get(instanceId) ?? null
    const record = instances?.find(({ id }) => id === instanceId)?.record
    if (record === undefined || fetchedAt === null) return told
    return told !== null && told.at > fetchedAt ? told : { record, at: fetchedAt }
  }
}

/**
 * Where an instance is listed; `gone` when it's listed no more, `null` when that isn't known now: there is no list, the
 * service can't be asked for a new one, or the instance may be a record that can't be read.
 */
export function whereListed(
  { instances, problem, unreadable }: InstancesSnapshot,
  instanceId: number,
): readonly SshAddress[] | 'gone' | null {
  if (instances === null || problem !== null) return null
  const found = instances.find(({ id }) => id === instanceId)
  if (found !== undefined) return bothAddresses(found.record)
  return unreadable.length === 0 ? 'gone' : null
}

/** Where all instances are by the last list. */
export function listedPlaces({ instances }: InstancesSnapshot): readonly ListedPlaces[] {
  return (instances ?? []).map(({ id, record }) => ({ instanceId: id, addresses: bothAddresses(record) }))
}

/** The addresses that a record names. */
function bothAddresses(record: InstanceRecord): readonly SshAddress[] {
  const { direct, proxy } = sshAddressesOf(record)
  return [direct, proxy].filter((address) => address !== null)
}

/** Where a connection goes by a record. @param tried those of its addresses that are tried, in this order */
export function targetOf(record: InstanceRecord, [address, fallback]: readonly SshAddress[]): Target {
  const known = bothAddresses(record)
  if (address !== undefined) return { kind: 'address', address, ...(fallback && { fallback }), known }
  const missing = sshAddressesOf(record).direct === null ? 'direct' : 'proxy'
  return {
    kind: 'none',
    status: record.actual_status ?? null,
    ...(known.length > 0 && { chosen: missing }),
  }
}

class TooLate extends Error {}

function isUnanswered(error: unknown): boolean {
  return error instanceof TooLate || (error instanceof ProblemError && isWithoutAnswer(error.problem))
}
