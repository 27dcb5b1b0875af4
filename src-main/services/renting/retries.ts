import {
  retryStep,
  phaseOf,
  type RetryOutcome,
  type RetryPlan,
  type RetryStep,
  type RetryView,
  type TimedStep,
} from '../../domain/renting/retry.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { isWithinCap, nextOffer, triedOfferOf } from './retry-offer.ts'
import type { Offer, OfferQuery } from '../../domain/offers/offer.ts'
import { rentalRefused } from '../../domain/base/problem.ts'
import type { RentBody } from '../../domain/renting/rent-body.ts'
import { SerialQueue } from '../../domain/base/serial-queue.ts'
import type { Journal } from '../storage/journal.ts'
import type { Order } from './orders.ts'
import { retriesOf, withStep, type Retry, type RetryEntry } from './retry-journal.ts'
import { isForeign, replaceableIn } from './retry-decisions.ts'
import { RetryRun } from './retry-run.ts'
import type { RetryServices } from './retry-services.ts'
import { ticks } from '../instances/ticks.ts'
import { advisedPauseMs } from '../instances/watch.ts'

export interface RetriesOptions extends RetryServices {
  readonly journal: Journal<RetryEntry>
  readonly seal: (text: string) => Promise<string>
  readonly randomId: () => string
  readonly clock: Clock
  readonly log: Log
  /** Told when an auto-retry comes to its end. */
  readonly onEnded: (retry: RetryView) => void
}

/** What is rented, and how it goes on. */
export interface RetryOrder {
  readonly body: RentBody
  /** Finds the next offers. */
  readonly query: OfferQuery
  readonly plan: RetryPlan
}

/** Who has an auto-retry begun, where that's more than a user who looks on. */
interface RetryOwner {
  /** By which it's found again, also in the next run; it must not have been used before. */
  readonly id?: string | undefined
  /** Aborted when it isn't wanted any more. */
  readonly signal?: AbortSignal | undefined
}

const tickMs = 5_000

/**
 * Each auto-retry is a journal of steps; where it stands follows from them, in this run and in
 * the next. Never two machines of one auto-retry cost money at once: a step that rents comes only after the list has
 * shown, twice, that the machine before is gone.
 */
export class Retries {
  readonly state = new Latest<readonly RetryView[]>([])
  readonly #options: RetriesOptions
  readonly #queue = new SerialQueue()
  #retries = new Map<string, Retry>()
  /** How those ended that were dismissed in this run. */
  readonly #dismissed = new Map<string, RetryOutcome>()
  #run: RetryRun | null = null

  constructor(options: RetriesOptions) {
    this.#options = options
  }

  /** Reads the journal; before anything else is taken up, so that no rental of an auto-retry is forgotten. @throws ProblemError storage-failed */
  async open(): Promise<void> {
    const { journal } = this.#options
    this.#retries = retriesOf(await journal.readAll())
    await journal.compact(({ id }) => this.#retries.has(id))
    const open = [...this.#retries.values()].find(({ steps }) => phaseOf(steps).kind !== 'ended')
    if (open) {
      this.#take(open)
      await this.#note(open.id, { kind: 'resumed' })
    }
    this.#publish()
  }

  /** Whether an auto-retry still asks for the outcome of this rental. */
  readonly holds = (rentalId: string): boolean =>
    [...this.#retries.values()].some(({ steps }) =>
      steps.some(({ step }) => step.kind === 'trying' && step.rentalId === rentalId),
    )

  /** Whether an auto-retry is seeing to this instance, so that nobody else needs to. */
  readonly seesTo = (instanceId: number): boolean => {
    const phase = this.#run === null ? null : phaseOf(this.#run.retry.steps)
    return (phase?.kind === 'booting' || phase?.kind === 'removing') && phase.instanceId === instanceId
  }

  /** By which an instance of an auto-retry was rented; the newest one's, and not of another machine under its id. */
  orderOf(instanceId: number): Order | null {
    const listed = this.#options.watch.snapshot.value.instances?.find(({ id }) => id === instanceId)
    for (const retry of [...this.#retries.values()].reverse()) {
      const rented = retry.steps.findLast(
        ({ step }) => step.kind === 'rented' && step.instanceId === instanceId,
      )
      if (rented !== undefined && !isForeign(retry.steps, listed))
        return { ...retry, at: rented.at, capPerHourUsd: retry.plan.capPerHourUsd }
    }
    return null
  }

  /** How it ended, also when it was dismissed since; `null` while it goes on, and when it isn't known. */
  outcomeOf(id: string): RetryOutcome | null {
    const phase = phaseOf(this.#retries.get(id)?.steps ?? [])
    return phase.kind === 'ended' ? phase.outcome : (this.#dismissed.get(id) ?? null)
  }

  /** Whether one goes on. */
  get isTrying(): boolean {
    return this.#run !== null
  }

  /**
   * Rents the offer, and the next ones if it fails.
   *
   * @throws ProblemError rental-refused, storage-failed, keychain-locked, or the signal's reason: nothing was begun then
   */
  begin({ offer, id, signal, ...order }: RetryOrder & RetryOwner & { readonly offer: Offer }): Promise<void> {
    return this.#queue.take(async () => {
      this.#check(order)
      const diskGb = order.body.disk ?? null
      if (!isWithinCap(offer, order.plan, diskGb)) throw rentalRefused({ code: 'price-above-highest' })
      await this.#begin(order, { first: triedOfferOf(offer, diskGb) }, { id, signal })
    })
  }

  /**
   * Destroys an instance that never runs, whoever rented it, and rents the next offer once the list has shown that it is
   * gone. The list and the offers are asked for anew: what may run by now, and what nothing would follow, is left alone.
   *
   * @throws ProblemError rental-refused and others: nothing was begun then
   */
  replace({ instanceId, ...order }: RetryOrder & { readonly instanceId: number }): Promise<void> {
    return this.#queue.take(async () => {
      this.#check(order)
      const { body, plan, query } = order
      const { watch, search, isBlocked } = this.#options
      await watch.refresh()
      const replaced = replaceableIn(watch.snapshot.value, instanceId)
      const steps: TimedStep[] = [{ at: 0, step: { kind: 'replacing', ...replaced } }]
      const next = nextOffer(await search(query), { plan, diskGb: body.disk ?? null, steps, isBlocked })
      if (next === null) throw rentalRefused({ code: 'no-offer' })
      await this.#begin(order, { first: null, replaced })
    })
  }

  #check({ body }: RetryOrder): void {
    if (this.#run !== null) throw rentalRefused({ code: 'retry-running' })
    if (body.volume_info?.create_new === true) throw rentalRefused({ code: 'retry-creates-volume' })
  }

  async #begin(
    { body, plan, query }: RetryOrder,
    begins: Pick<Extract<RetryEntry, { kind: 'begun' }>, 'first' | 'replaced'>,
    { id = this.#options.randomId(), signal }: RetryOwner = {},
  ): Promise<void> {
    const { journal, seal, clock } = this.#options
    const sealedBody = await seal(JSON.stringify(body))
    signal?.throwIfAborted()
    const entry = {
      kind: 'begun',
      id,
      at: clock.now(),
      plan,
      query,
      ...begins,
      sealedBody,
    } as const
    await journal.append(entry)
    const retry = retriesOf([entry]).get(entry.id)
    if (retry === undefined) return
    this.#retries.set(retry.id, retry)
    this.#take(retry)
    // The pause under way is one at rest, as long as the user allows.
    this.#options.watch.repace()
    this.#publish()
    void this.#advance()
  }

  /** Rents nothing more. A machine that is there is kept, or destroyed. @throws ProblemError storage-failed */
  async stop(id: string, machine: 'keep' | 'destroy'): Promise<void> {
    const retry = this.#retries.get(id)
    if (retry === undefined || phaseOf(retry.steps).kind === 'ended') return
    await this.#append(id, { kind: 'stopping', machine })
    void this.#advance()
  }

  /** Takes one that has ended out of sight. @throws ProblemError storage-failed */
  async dismiss(id: string): Promise<void> {
    const retry = this.#retries.get(id)
    const outcome = this.outcomeOf(id)
    if (retry === undefined || outcome === null) return
    await this.#options.journal.append({ kind: 'dismissed', id, at: this.#options.clock.now() })
    this.#dismissed.set(id, outcome)
    this.#retries.delete(id)
    this.#publish()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { clock, watch } = this.#options
    watch.limitPause(() => (this.isTrying ? advisedPauseMs : null))
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) await this.#advance()
  }

  #advance(): Promise<void> {
    return this.#queue.take(async () => {
      const run = this.#run
      if (run === null) return
      try {
        while (this.#run === run && (await run.advance()));
      } catch (error) {
        this.#options.log.error('A step of an auto-retry failed; it is tried again', error)
      }
    })
  }

  #take(retry: Retry): void {
    const { id } = retry
    const { clock, log } = this.#options
    this.#run = new RetryRun({
      ...this.#options,
      retry: () => this.#retries.get(id) ?? retry,
      // Written before anything is done because of it.
      write: (step) => this.#append(id, step),
      // What has happened is true, also when it cannot be written: the list tells it again to the next run.
      note: (step) => this.#note(id, step),
      clock,
      log,
    })
  }

  async #append(id: string, step: RetryStep): Promise<void> {
    const at = this.#options.clock.now()
    await this.#options.journal.append({ kind: 'step', id, at, step: retryStep.parse(step) })
    this.#apply(id, step, at)
  }

  async #note(id: string, step: RetryStep): Promise<void> {
    try {
      await this.#append(id, step)
    } catch (error) {
      this.#options.log.error('The journal of auto-retries could not be written', error)
      this.#apply(id, step, this.#options.clock.now())
    }
  }

  #apply(id: string, step: RetryStep, at: number): void {
    const retry = this.#retries.get(id)
    if (retry === undefined) return
    const next = withStep(retry, { at, step })
    this.#retries.set(id, next)
    this.#publish()
    if (step.kind !== 'ended') return
    if (this.#run?.retry.id === id) this.#run = null
    this.#options.onEnded(viewOf(next))
  }

  #publish(): void {
    this.state.set([...this.#retries.values()].map(viewOf))
  }
}

function viewOf({ id, begunAt, plan, steps }: Retry): RetryView {
  return { id, begunAt, plan, steps }
}
