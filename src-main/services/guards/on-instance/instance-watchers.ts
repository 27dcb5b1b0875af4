import { isDeepStrictEqual } from 'node:util'
import { Latest } from '../../../domain/base/latest.ts'
import type { Guard } from '../../../domain/guards/guard.ts'
import {
  nothingHeard,
  type WatchedGuard,
  type WatcherProblem,
  type WatcherView,
} from '../../../domain/guards/watcher.ts'
import { areDifferent, identityOf } from '../../../domain/instances/instance-identity.ts'
import type { WatchedInstance } from '../../../domain/instances/instance.ts'
import { outlookOf } from '../../../domain/instances/instance-status.ts'
import { waitsForUser } from '../../../domain/ssh/connection-lifecycle.ts'
import { hasTakenEffect } from '../../instances/action-effect.ts'
import { InstancePresence } from '../../instances/instance-presence.ts'
import { ticks } from '../../instances/ticks.ts'
import type { InstanceWatch } from '../../instances/watch.ts'
import { ConnectFailed } from '../../ssh/connection/connect-failure.ts'
import type { Connections } from '../../ssh/connection/connections.ts'
import { SshFailure } from '../../ssh/failure.ts'
import { Deeds, type DeedsOptions } from './deeds.ts'
import { Doubts } from './doubts.ts'
import { isLookDue, mayPassSoon, pauseAfter } from './look-times.ts'
import { LastWords, type LastWordsOptions } from './last-words.ts'
import { disarm, isAlive, lookAt, orderedFrom, wordFrom, type Heard, type LookOptions } from './look.ts'
import { revisionOf } from './script-order.ts'

export interface InstanceWatchersOptions
  extends
    Omit<DeedsOptions, 'owner'>,
    Pick<LookOptions, 'keyOf' | 'serviceAddress' | 'scripts' | 'randomId'> {
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'find'>
  readonly connections: Pick<Connections, 'acquire' | 'state'>
  readonly file: LastWordsOptions['file']
  readonly log: LastWordsOptions['log']
}

const tickMs = 15_000
/** Lists that come one after the other don't ask more instances than this at once. */
const mostAtOnce = 4

interface Watcher {
  view: WatcherView
  /** The guards that were wished for at the last look. */
  wished: string | null
  /** `null`: not before the user or a new connection says so. */
  nextAt: number | null
  failures: number
  looking: Promise<void> | null
  readonly presence: InstancePresence
}

/**
 * Sees to it that instances watch over themselves as the user wishes: gives their script its guards, again after a
 * restart of the instance, and asks it how far it is. What can't be said to an instance now stays a wish.
 */
export class InstanceWatchers {
  readonly views = new Latest<readonly WatcherView[]>([])
  readonly #options: InstanceWatchersOptions
  readonly #words: LastWords
  readonly #deeds: Deeds
  readonly #doubts: Doubts
  readonly #watchers = new Map<number, Watcher>()
  /** Ends with the account. */
  readonly #end = new AbortController()

  constructor(options: InstanceWatchersOptions) {
    this.#options = options
    this.#words = new LastWords(options)
    this.#deeds = new Deeds({ ...options, owner: () => this.#words.owner })
    this.#doubts = new Doubts(options)
    // What they said to an earlier run holds until they say something else.
    for (const id of this.#words.instanceIds) this.#watcherOf(id)
    this.#publish()
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options
    for await (const _ of ticks(store.state, { clock, everyMs: tickMs, signal })) this.#startLooks()
    this.#end.abort(signal.reason)
    for (const { looking } of this.#watchers.values()) await looking
  }

  /**
   * Asks one instance at once, also when it was no use to try.
   *
   * @param disarms takes the guards of all computers from it before, so that it gets those of this one alone
   */
  async lookNow(instanceId: number, disarms = false): Promise<void> {
    const watcher = this.#watcherOf(instanceId)
    // Another one may begin as soon as that has ended.
    while (watcher.looking !== null) await watcher.looking
    await this.#startLook(instanceId, watcher, disarms)
  }

  #startLooks(): void {
    const { watch, clock, connections } = this.#options
    const { snapshot } = watch
    // Which instances there are isn't known yet.
    if (snapshot.value.instances === null) return
    const ids = new Set(this.#words.instanceIds)
    for (const id of [...this.#watchers.keys()].filter((known) => !ids.has(known))) this.#forget(id)
    for (const id of ids) {
      const watcher = this.#watcherOf(id)
      watcher.presence.look(snapshot.value)
      const instance = watch.find(id)
      const runs = isRunning(instance)
      const isAsked = waitsForUser(connections.state(id).value)
      if (instance && runs) this.#doubts.judge(instance, this.#guardsOf(id), { view: watcher.view, isAsked })
      if (watcher.looking !== null || (runs && this.#countLooks() >= mostAtOnce)) continue
      const hasChanged = watcher.wished !== this.#wishOf(id)
      const isReached = watcher.nextAt === null && connections.state(id).value.kind === 'open'
      const isDue = isLookDue(watcher.nextAt, clock.now())
      const hasBegun = watcher.view.problem?.kind === 'not-running' && runs
      // What doesn't run isn't asked: the list tells whether it has done what it was told.
      if (!runs || hasChanged || isReached || isDue || hasBegun) void this.#startLook(id, watcher)
    }
  }

  /**
   * Those that wait for the user's word, about a host key for one, may do so for hours, and hold up nobody; nor do those
   * that don't run, which nobody asks.
   */
  #countLooks(): number {
    const { connections, watch } = this.#options
    const looking = [...this.#watchers].filter(([, watcher]) => watcher.looking !== null)
    return looking.filter(([id]) => isRunning(watch.find(id)) && !waitsForUser(connections.state(id).value))
      .length
  }

  #startLook(id: number, watcher: Watcher, disarms = false): Promise<void> {
    watcher.looking = this.#look(id, watcher, disarms).finally(() => {
      watcher.looking = null
      this.#show(watcher, { isLooking: false })
    })
    return watcher.looking
  }

  async #look(id: number, watcher: Watcher, disarms: boolean): Promise<void> {
    const { watch, log, clock } = this.#options
    const { signal } = this.#end
    const instance = watch.find(id)
    watcher.wished = this.#wishOf(id)
    try {
      if (instance === undefined || !isRunning(instance) || this.#isOther(id, instance))
        return await this.#noteAtRest(id, watcher, instance)
      this.#show(watcher, { isLooking: true })
      await this.#noteHeard(watcher, await this.#ask(watcher, instance, disarms))
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ConnectFailed || error instanceof SshFailure))
        log.error(`Auto-stop rules on instance ${id} could not be looked at`, error)
      watcher.nextAt = mayPassSoon(error, instance, clock.now())
        ? clock.now() + pauseAfter({ failures: watcher.failures++ })
        : null
      // What isn't reached goes on as it was told.
      this.#show(watcher, { problem: { kind: 'not-connected' } })
    }
  }

  async #ask(watcher: Watcher, instance: WatchedInstance, disarms: boolean): Promise<Heard> {
    const { connections, store } = this.#options
    const { id } = instance
    const { signal } = this.#end
    const lease = await connections.acquire(id, signal)
    const settle: LookOptions['settle'] = async (before) => {
      const word = this.#words.of(id)
      if (before !== null) await this.#deeds.takeIn(before, this.#guardsOf(id), { instance, word })
      watcher.wished = this.#wishOf(id)
      return this.#guardsOf(id).flatMap((one) => orderedFrom(one, store.dueAt(one), word) ?? [])
    }
    try {
      if (disarms) await disarm({ ...this.#options, lease, signal })
      return await lookAt({
        ...this.#options,
        ...{ instanceId: id, words: this.#words, lease, settle, signal },
      })
    } finally {
      lease.release()
    }
  }

  async #noteHeard(watcher: Watcher, heard: Heard): Promise<void> {
    const { clock, connections, serviceAddress } = this.#options
    const { instanceId } = watcher.view
    const { answer, refusal, ordered } = heard
    const context = { words: this.#words, instanceId, serviceAddress, clock }
    const guards = this.#guardsOf(instanceId)
    const former = this.#words.of(instanceId)
    // What it was told and refused it surely hasn't got.
    const heldBefore = {
      ...former,
      watched: former.watched.filter(({ isHeard }) => isHeard || refusal === null),
    }
    const word =
      answer === null
        ? heldBefore
        : isAlive(answer)
          ? wordFrom(answer, heard, context)
          : nothingHeard(instanceId)
    const problem = problemOf(
      heard,
      guards.some(({ id }) => !ordered.some((one) => one.id === id)),
    )
    const isFailure = problem !== null && problem.kind !== 'cost-unknown'
    const isOpen = connections.state(instanceId).value.kind === 'open'
    watcher.failures = isFailure ? watcher.failures + 1 : 0
    watcher.nextAt =
      clock.now() +
      pauseAfter(isFailure ? { failures: watcher.failures - 1 } : { isOpen, rules: word.watched })
    // It has none of this computer any more, whatever others have given it.
    const hasSaidSo = (answer === null) !== (refusal === null)
    if (hasSaidSo && guards.length === 0 && word.watched.length === 0)
      await this.#words.noteUnwatched(instanceId)
    else await this.#words.note(word)
    this.#show(watcher, { ...word, problem })
  }

  /** What doesn't run answers no more: the list tells what it has done, and the time at which it was due. */
  async #noteAtRest(id: number, watcher: Watcher, instance: WatchedInstance | undefined): Promise<void> {
    const { watch } = this.#options
    const { problem } = watch.snapshot.value
    const { isGone } = watcher.presence
    const guards = this.#guardsOf(id)
    const isOther = instance !== undefined && this.#isOther(id, instance)
    const seen = instance ?? (isGone ? 'gone' : null)
    let word = this.#words.of(id)
    if (seen !== null && problem === null && !isOther)
      await this.#deeds.conclude(guards, { instance: seen, word })
    if (seen !== null && (seen === 'gone' || hasTakenEffect('stop', seen))) {
      const isKept = (rule: WatchedGuard): boolean => guards.some((one) => one.id === rule.id)
      this.#deeds.tellRemoved(
        word.watched.filter((rule) => rule.isHeard && !isKept(rule)),
        word,
        seen,
      )
      // A restart drops what it was told.
      const kept = word.watched.filter(isKept)
      word = { ...word, watched: kept.map((rule) => ({ ...rule, isHeard: false })) }
      if (seen === 'gone' && guards.length === 0) await this.#words.noteUnwatched(id)
      else await this.#words.note(word)
    }
    watcher.nextAt = 0
    watcher.failures = 0
    this.#show(watcher, { ...word, problem: { kind: 'not-running' } })
  }

  /** Whether the id is that of another instance than the one that guards were set for. */
  #isOther(id: number, { record }: WatchedInstance): boolean {
    return this.#guardsOf(id).some(({ identity }) => areDifferent(identity, identityOf(record)))
  }

  #guardsOf(id: number): readonly Guard[] {
    const { all } = this.#options.store
    return all.filter(({ instanceId, place }) => instanceId === id && place === 'instance')
  }

  #wishOf(id: number): string {
    const guards = this.#guardsOf(id).map((one) => ({ ...one, dueAt: null }))
    return revisionOf(guards, this.#options.serviceAddress())
  }

  #watcherOf(instanceId: number): Watcher {
    const known = this.#watchers.get(instanceId)
    if (known) return known
    const made: Watcher = {
      view: { ...this.#words.of(instanceId), problem: null, isLooking: false },
      ...{ wished: null, nextAt: 0, failures: 0, looking: null },
      presence: new InstancePresence(instanceId, 0),
    }
    this.#watchers.set(instanceId, made)
    return made
  }

  #forget(id: number): void {
    if (this.#watchers.get(id)?.looking) return
    this.#watchers.delete(id)
    this.#publish()
  }

  #show(watcher: Watcher, part: Partial<WatcherView>): void {
    const view = { ...watcher.view, ...part }
    if (isDeepStrictEqual(view, watcher.view)) return
    watcher.view = view
    this.#publish()
  }

  #publish(): void {
    this.views.set([...this.#watchers.values()].map(({ view }) => view))
  }
}

function problemOf({ answer, refusal }: Heard, isCostUnknown: boolean): WatcherProblem | null {
  if (refusal !== null) return { kind: 'refused', why: refusal }
  if (answer === null || (answer.armed && !isAlive(answer))) return { kind: 'not-understood' }
  return isCostUnknown ? { kind: 'cost-unknown' } : null
}

function isRunning(instance: WatchedInstance | undefined): boolean {
  return instance !== undefined && outlookOf(instance).kind === 'ready'
}
