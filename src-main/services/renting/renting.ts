import type { Clock } from '../../domain/base/clock.ts'
import { wholeListAt, type InstancesSnapshot, type RentalNotice } from '../../domain/instances/instance.ts'
import type { Log } from '../../domain/base/log.ts'
import { rentalRefused } from '../../domain/base/problem.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import type { CreatedInstance } from '../rental-api/instances.ts'
import { sendOnce } from '../rental-api/send-once.ts'
import { recentList } from './recent-list.ts'
import { openRentals, type OpenRental, type RentalEntry, type RentalIntent } from './rental-journal.ts'
import { rentalOutcome, type RentalOutcome } from './rental-outcome.ts'
import type { InstanceWatch } from '../instances/watch.ts'

/** The renting journal on disk; an entry is on the disk when `append` resolves. */
export interface Journal {
  readonly readAll: () => Promise<readonly RentalEntry[]>
  readonly append: (entry: RentalEntry) => Promise<void>
  readonly compact: (keep: (entry: RentalEntry) => boolean) => Promise<void>
}

export interface RentingOptions {
  readonly create: (offerId: number, body: RentBody) => Promise<CreatedInstance>
  readonly watch: InstanceWatch
  readonly journal: Journal
  /** Told of each instance that was rented, also where the list had to say so; before that is written as done. */
  readonly onRented: (instanceId: number) => Promise<void>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

/** What became of a rental. The instance's own key goes no further than to who asked for it. */
export type Rental =
  | ({ readonly kind: 'rented' } & CreatedInstance)
  /** No reply came, so the list was asked; what it says is also kept as a notice. */
  | { readonly kind: 'reply-lost'; readonly notice: RentalNotice }

interface LostRental extends OpenRental {
  /** When the reply was given up, or, after a crash, when it was sent; ms since the epoch. */
  readonly since: number
}

/**
 * How long a rental may take to appear in the list, in ms. Three polls of ten seconds: a
 * service that has not listed it by then has not rented it.
 */
const appearsWithinMs = 25_000

/**
 * Rents so that nothing is ever rented twice: the intent is on the disk before the one request leaves, and
 * when no reply comes, in this run or after a crash, the list of instances decides what happened.
 */
export class Renting {
  readonly #options: RentingOptions
  readonly #lost = new Map<string, LostRental>()
  /** Instances that a rental of this run accounts for. */
  readonly #accounted = new Set<number>()
  /** A request is on its way: an instance that appears may be its own. */
  #isSending = false
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: RentingOptions) {
    this.#options = options
  }

  /**
   * Takes up what earlier runs left open.
   *
   * @param isHeld whether somebody still asks for the outcome of a rental: it is then kept in the journal
   * @throws ProblemError storage-failed
   */
  async resume(isHeld: (rentalId: string) => boolean = () => false): Promise<void> {
    const { journal } = this.#options
    const all = openRentals(await journal.readAll())
    const openIds = new Set(all.map(({ intent }) => intent.id))
    await journal.compact(({ id }) => openIds.has(id) || isHeld(id))
    for (const rental of all) this.#lost.set(rental.intent.id, { ...rental, since: rental.intent.at })
    this.#publish()
  }

  /** Follows the snapshots until the signal is aborted, and settles lost rentals by them. */
  async follow(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#options.watch.snapshot.watch(signal)) await this.#settle()
  }

  /**
   * One rental at a time, so that a new instance can only belong to one of them. While it is not known whether
   * the same offer was rented, nothing is sent, and what is known of it is the answer.
   *
   * @param rentalId names it, so that its outcome can be asked for after a crash
   * @param mayGo asked when it's its turn, right before anything is written and sent
   * @throws ProblemError when nothing was rented
   */
  async rent(
    offerId: number,
    body: RentBody,
    rentalId = this.#options.randomId(),
    mayGo: () => boolean = () => true,
  ): Promise<Rental> {
    const result = this.#queue.then(() => this.#rent(offerId, body, rentalId, mayGo))
    this.#queue = result.catch(() => undefined) // its caller gets the error; the next one does not care
    return result
  }

  /** What has become of a rental, also of one of an earlier run. @throws ProblemError storage-failed */
  async fateOf(rentalId: string): Promise<RentalOutcome> {
    const known = this.#lost.get(rentalId)
    if (known) return known.outcome ?? { kind: 'checking' }
    return rentalOutcome(await this.#options.journal.readAll(), rentalId)
  }

  async dismiss(noticeId: string): Promise<void> {
    const { journal, clock } = this.#options
    if (!this.#lost.has(noticeId)) return
    await journal.append({ kind: 'dismissed', id: noticeId, at: clock.now() })
    this.#forget(noticeId)
  }

  async #rent(offerId: number, body: RentBody, rentalId: string, mayGo: () => boolean): Promise<Rental> {
    const { watch, journal, clock, log } = this.#options
    const unsettled = [...this.#lost.values()].find(
      (rental) => rental.outcome === null && rental.intent.offerId === offerId,
    )
    if (unsettled) return { kind: 'reply-lost', notice: noticeOf(unsettled) }
    const intent = await this.#intend(offerId, rentalId)
    if (!mayGo()) throw rentalRefused({ code: 'called-off' })
    const rental = await sendOnce<Rental>(
      {
        keep: () => journal.append(intent),
        drop: () => this.#note({ kind: 'not-rented', id: rentalId, at: clock.now() }),
      },
      async () => ({ kind: 'rented', ...(await this.#send(offerId, body)) }),
      (error) => {
        log.error(`No usable reply to the rental of offer ${offerId}`, error)
        return this.#askTheList(intent)
      },
    )
    if (rental.kind !== 'rented') return rental
    await this.#tell(rental.instanceId)
    await this.#note({ kind: 'rented', id: rentalId, instanceId: rental.instanceId, at: clock.now() })
    await watch.refresh()
    return rental
  }

  async #send(offerId: number, body: RentBody): Promise<CreatedInstance> {
    this.#isSending = true
    try {
      const created = await this.#options.create(offerId, body)
      this.#accounted.add(created.instanceId)
      return created
    } finally {
      this.#isSending = false
    }
  }

  /** What is about to be sent. If the list is not known, or too old, nothing is sent. */
  async #intend(offerId: number, rentalId: string): Promise<RentalIntent> {
    const { watch, clock } = this.#options
    const { instances, unreadable } = await recentList(watch, clock)
    return {
      ...(unreadable.length > 0 && { mayKnowLess: true }),
      kind: 'intent',
      id: rentalId,
      offerId,
      at: clock.now(),
      knownIds: [...new Set([...instances.map(({ id }) => id), ...this.#accounted])],
    }
  }

  async #askTheList(intent: RentalIntent): Promise<Rental> {
    const { watch, clock } = this.#options
    this.#lost.set(intent.id, { intent, outcome: null, since: clock.now() })
    this.#publish()
    await watch.refresh()
    await this.#settle()
    const rental = this.#lost.get(intent.id)
    return { kind: 'reply-lost', notice: noticeOf(rental ?? { intent, outcome: null }) }
  }

  async #settle(): Promise<void> {
    const { watch, clock } = this.#options
    if (this.#isSending) return
    for (const [id, rental] of this.#lost) {
      if (rental.outcome !== null) continue
      const knownIds = new Set([...rental.intent.knownIds, ...this.#accounted])
      const outcome = settleLostRental(
        rental.since,
        knownIds,
        rental.intent.mayKnowLess === true,
        watch.snapshot.value,
      )
      if (outcome.kind === 'checking') continue
      // Before the write, so that a snapshot that comes meanwhile does not settle it again.
      this.#lost.set(id, { ...rental, outcome })
      if (outcome.kind === 'adopted') {
        this.#accounted.add(outcome.instanceId)
        await this.#tell(outcome.instanceId)
      }
      await this.#note({ kind: 'settled', id, at: clock.now(), outcome })
      this.#publish()
    }
  }

  /** It is rented, whatever comes of what others make of it. */
  async #tell(instanceId: number): Promise<void> {
    const { onRented, log } = this.#options
    try {
      await onRented(instanceId)
    } catch (error) {
      log.error(`Instance ${instanceId} is rented, and its auto-stop rule couldn't be saved`, error)
    }
  }

  /**
   * Writes what is already true. A failure here costs nothing: without its end, the intent is settled anew
   * by the list at the next start.
   */
  async #note(entry: RentalEntry): Promise<void> {
    try {
      await this.#options.journal.append(entry)
    } catch (error) {
      this.#options.log.error('The renting journal could not be written', error)
    }
  }

  #forget(id: string): void {
    if (this.#lost.delete(id)) this.#publish()
  }

  #publish(): void {
    this.#options.watch.setNotices([...this.#lost.values()].map(noticeOf))
  }
}

function noticeOf({ intent, outcome }: OpenRental): RentalNotice {
  return {
    id: intent.id,
    offerId: intent.offerId,
    sentAt: intent.at,
    outcome: outcome ?? { kind: 'checking' },
  }
}

/**
 * What the list of instances says about a rental without a reply. Every instance that was not there before
 * and that no other rental accounts for may be it; so may a record that can't be read. It's left to the user where the one
 * that is new may have been there already, unread.
 */
function settleLostRental(
  since: number,
  knownIds: ReadonlySet<number>,
  mayKnowLess: boolean,
  snapshot: InstancesSnapshot,
): RentalNotice['outcome'] {
  const { instances } = snapshot
  const fetchedAt = wholeListAt(snapshot)
  if (instances === null || fetchedAt === null || fetchedAt < since) return { kind: 'checking' }
  const [first, ...others] = instances.map(({ id }) => id).filter((id) => !knownIds.has(id))
  if (first === undefined)
    return fetchedAt - since >= appearsWithinMs ? { kind: 'nothing-created' } : { kind: 'checking' }
  return others.length === 0 && !mayKnowLess
    ? { kind: 'adopted', instanceId: first }
    : { kind: 'ambiguous', instanceIds: [first, ...others] }
}
