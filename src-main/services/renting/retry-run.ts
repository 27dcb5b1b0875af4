import {
  countSteps,
  phaseOf,
  replacedIn,
  type KeptReason,
  type RetryPhase,
  type RetryStep,
  type TriedOffer,
} from '../../domain/renting/retry.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import type { Log } from '../../domain/base/log.ts'
import { nextOffer, triedOfferOf } from './retry-offer.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { rentBody, type RentBody } from '../../domain/renting/rent-body.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'
import { recentList } from './recent-list.ts'
import type { Retry } from './retry-journal.ts'
import { bootingDecision, isForeign, lateRental, removingDecision } from './retry-decisions.ts'
import { againByKey } from '../instances/again-by-key.ts'
import { ResendSchedule } from '../instances/resend-schedule.ts'
import { InstancePresence } from '../instances/instance-presence.ts'
import type { RetryServices } from './retry-services.ts'

export interface RetryRunOptions extends RetryServices {
  readonly retry: () => Retry
  /** On the disk when it resolves. */
  readonly write: (step: RetryStep) => Promise<void>
  readonly note: (step: RetryStep) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const pauseAfterTroubleMs = 15_000
/** Offers that the service refuses cost nothing; still, there is an end to trying. */
const sparesForRefusals = 10

/** Moves one auto-retry on, a step at a time, by what the list of instances shows. */
export class RetryRun {
  readonly #options: RetryRunOptions
  #instancePresence: { readonly id: number; readonly of: InstancePresence } | null = null
  #resendSchedule = new ResendSchedule()
  #pausedUntil: { readonly from: number; readonly to: number } | null = null
  /** The lowest time since the current machine was first looked at: later times may follow a clock's jump. */
  #lowestNow = Number.POSITIVE_INFINITY

  constructor(options: RetryRunOptions) {
    this.#options = options
  }

  get retry(): Retry {
    return this.#options.retry()
  }

  /** Takes the next step if it is time for one. True when there may be another one at once. */
  async advance(): Promise<boolean> {
    const { watch, clock } = this.#options
    // Nothing is judged, and nothing rented, by a list of an earlier run.
    if (watch.snapshot.value.instances === null) return false
    this.#lowestNow = Math.min(this.#lowestNow, clock.now())
    const phase = phaseOf(this.retry.steps)
    switch (phase.kind) {
      case 'searching':
        return this.#isPaused() ? false : this.#search()
      case 'renting':
        return this.#askFate(phase)
      case 'booting':
        return this.#judgeBoot(phase)
      case 'removing':
        return this.#remove(phase)
      case 'ended':
        return false
    }
  }

  async #search(): Promise<boolean> {
    const { watch, clock, note } = this.#options
    const { plan, steps } = this.retry
    const { attempts, instanceIds, stopping } = countSteps(steps)
    // Nothing is rented while one of its machines is there, whatever was seen before.
    const back = this.#listedAgain
    if (back) return this.#do(note({ kind: 'failing', instanceId: back.id, why: 'reappeared' }))
    if (stopping !== null) return this.#end({ kind: 'stopped', instanceId: null })
    if (instanceIds.length >= plan.machines || attempts >= plan.machines + sparesForRefusals)
      return this.#end({ kind: 'exhausted' })
    if (this.#isOutOfTime) return this.#end({ kind: 'out-of-time' })
    const late = lateRental(steps, watch.snapshot.value, clock.now())
    if (late === 'wait') return false
    if (late !== null) return this.#end({ kind: 'ambiguous', instanceIds: late })
    try {
      const body = await this.#openBody()
      if (body === null) return await this.#end({ kind: 'request-lost' })
      const offer = await this.#choose(body.disk ?? null)
      if (offer === null) return await this.#end({ kind: 'no-offers' })
      return await this.#rent(offer, body)
    } catch (error) {
      return this.#trouble(error)
    }
  }

  get #listedAgain(): WatchedInstance | undefined {
    const { steps } = this.retry
    const own = [...countSteps(steps).instanceIds, replacedIn(steps)?.instanceId]
    const { instances } = this.#options.watch.snapshot.value
    return instances?.find((one) => own.includes(one.id) && !isForeign(steps, one))
  }

  async #choose(diskGb: number | null): Promise<TriedOffer | null> {
    const { search, isBlocked } = this.#options
    const { plan, query, first, steps } = this.retry
    const { tried } = countSteps(steps)
    // The one that the user has chosen, without asking again.
    if (tried.length === 0 && first !== null) return first
    const next = nextOffer(await search(query), { plan, diskGb, steps, isBlocked })
    return next && triedOfferOf(next, diskGb)
  }

  async #openBody(): Promise<RentBody | null> {
    const text = await this.#options.unseal(this.retry.sealedBody)
    return text === null ? null : rentBody.parse(JSON.parse(text))
  }

  async #rent(offer: TriedOffer, body: RentBody): Promise<boolean> {
    const { watch, rent, write, note, randomId, clock } = this.#options
    // It was quit or signed out meanwhile. What is new after it could not be told from what was there.
    if (watch.snapshot.value.instances === null) return false
    const { instances } = await recentList(watch, clock)
    // All this may have taken a while: the user may have stopped it, or one of its machines may be listed again.
    if (countSteps(this.retry.steps).stopping !== null || this.#listedAgain !== undefined) return true
    const rentalId = randomId()
    const knownIds = instances.map(({ id }) => id)
    await write({ kind: 'trying', rentalId, offer, knownIds })
    try {
      const result = await rent(offer.offerId, body, rentalId)
      // Without a reply, its outcome is asked for.
      if (result.kind === 'rented') await note({ kind: 'rented', instanceId: result.instanceId })
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      // It was signed out: nothing was sent.
      if (error.problem.kind === 'no-account') return false
      await note({ kind: 'not-rented', problem: error.problem })
      if (error.problem.kind === 'refused') return true
      if (!isPassing(error.problem)) return this.#end({ kind: 'refused', problem: error.problem })
      this.#pause()
      return false
    }
  }

  async #askFate({ rentalId }: Extract<RetryPhase, { kind: 'renting' }>): Promise<boolean> {
    const { fateOf, note } = this.#options
    const fate = await fateOf(rentalId)
    switch (fate.kind) {
      case 'checking':
        return false
      case 'rented':
      case 'adopted':
        return this.#do(note({ kind: 'rented', instanceId: fate.instanceId }))
      case 'ambiguous':
        return this.#end({ kind: 'ambiguous', instanceIds: fate.instanceIds })
      case 'never-sent':
      case 'not-rented':
      case 'nothing-created':
        return this.#do(note({ kind: 'not-rented', problem: null }))
    }
  }

  async #judgeBoot(phase: Extract<RetryPhase, { kind: 'booting' }>): Promise<boolean> {
    const { clock, note } = this.#options
    const { plan, steps } = this.retry
    const instancePresence = this.#see(phase.instanceId, phase.at)
    if (isForeign(steps, instancePresence.instance))
      return this.#end({ kind: 'other-machine', instanceId: phase.instanceId })
    // A clock that was set back counts from there.
    const since = Math.min(phase.at, this.#lowestNow)
    const decision = bootingDecision(phase, {
      instancePresence,
      waitedMs: clock.now() - since,
      listIsNew: (afterMs) => (instancePresence.seenAt ?? 0) - since >= afterMs,
      plan,
      stopping: countSteps(steps).stopping,
    })
    return decision !== null && this.#do(note(decision))
  }

  async #remove(phase: Extract<RetryPhase, { kind: 'removing' }>): Promise<boolean> {
    const { clock, watch, destroy, note } = this.#options
    const { instanceId } = phase
    const isReplaced = replacedIn(this.retry.steps)?.instanceId === instanceId
    let why: KeptReason | null = null
    if (isReplaced && isSending(this.#removal(phase))) {
      if (this.#isPaused()) return false
      try {
        why = await this.#whyNothingFollows()
      } catch (error) {
        return this.#trouble(error)
      }
      // It was quit or signed out meanwhile.
      if (watch.snapshot.value.instances === null) return false
    }
    // Once more: while the offers were asked for, it may have come to run, or the user may have stopped this.
    const decision = this.#removal(phase)
    if (why !== null && isSending(decision)) return this.#end({ kind: 'kept', instanceId, why })
    if (decision === 'wait') return false
    if (decision === 'look-again') {
      if (!this.#isPaused()) {
        this.#pause(5_000)
        await watch.refresh()
      }
      return false
    }
    await note(decision)
    if (decision.kind !== 'destroying') return true
    this.#resendSchedule.sent(clock.now())
    // What the lists said before does not count any more.
    this.#instancePresence = { id: instanceId, of: new InstancePresence(instanceId, clock.now()) }
    try {
      await againByKey(() => destroy(instanceId))
      return true
    } catch (error) {
      return this.#trouble(error)
    }
  }

  #removal(phase: Extract<RetryPhase, { kind: 'removing' }>): RetryStep | 'wait' | 'look-again' {
    const { instanceId } = phase
    const instancePresence = this.#see(instanceId, 0)
    const { instance } = instancePresence
    const { steps } = this.retry
    if (isForeign(steps, instance)) return { kind: 'ended', outcome: { kind: 'other-machine', instanceId } }
    const now = this.#options.clock.now()
    const isSendDue = instance !== undefined && this.#resendSchedule.isDue('destroy', instance, now)
    return removingDecision(phase, { instancePresence, isSendDue, steps })
  }

  /**
   * Asked before each request to destroy what is replaced: a restart or a failed request may lie between, and the user
   * agreed to a destruction that another rental follows.
   */
  async #whyNothingFollows(): Promise<KeptReason | null> {
    if (this.#isOutOfTime) return 'out-of-time'
    const body = await this.#openBody()
    if (body === null) return 'request-lost'
    return (await this.#choose(body.disk ?? null)) === null ? 'no-offers' : null
  }

  get #isOutOfTime(): boolean {
    const { begunAt, plan } = this.retry
    return this.#options.clock.now() - begunAt >= plan.giveUpAfterMinutes * 60_000
  }

  #see(id: number, since: number): InstancePresence {
    if (this.#instancePresence?.id !== id) {
      this.#lowestNow = this.#options.clock.now()
      this.#instancePresence = { id, of: new InstancePresence(id, Math.min(since, this.#lowestNow)) }
      this.#resendSchedule = new ResendSchedule()
      this.#pausedUntil = null
    }
    this.#instancePresence.of.look(this.#options.watch.snapshot.value)
    return this.#instancePresence.of
  }

  /** Says once what is in the way, and waits. */
  async #trouble(error: unknown): Promise<boolean> {
    const { log, note } = this.#options
    const problem: Problem =
      error instanceof ProblemError
        ? error.problem
        : { kind: 'unexpected', id: log.error('A step of an auto-retry failed', error) }
    const last = this.retry.steps.at(-1)?.step
    const isKnown = last?.kind === 'trouble' && last.problem.kind === problem.kind
    if (!isKnown) await note({ kind: 'trouble', problem })
    this.#pause()
    return false
  }

  #pause(ms = pauseAfterTroubleMs): void {
    const from = this.#options.clock.now()
    this.#pausedUntil = { from, to: from + ms }
  }

  #isPaused(): boolean {
    const now = this.#options.clock.now()
    return this.#pausedUntil !== null && now >= this.#pausedUntil.from && now < this.#pausedUntil.to
  }

  #end(outcome: Extract<RetryStep, { kind: 'ended' }>['outcome']): Promise<boolean> {
    return this.#do(this.#options.note({ kind: 'ended', outcome }))
  }

  async #do(step: Promise<void>): Promise<true> {
    await step
    return true
  }
}

function isSending(decision: RetryStep | 'wait' | 'look-again'): boolean {
  return typeof decision === 'object' && decision.kind === 'destroying'
}
