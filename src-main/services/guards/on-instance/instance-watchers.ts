import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { Log } from '../../../domain/base/log.ts'
import { isAtRest, type Guard } from '../../../domain/guards/guard.ts'
import type { WatcherProblem, WatcherView } from '../../../domain/guards/watcher.ts'
import { areDifferent, identityOf } from '../../../domain/instances/instance-identity.ts'
import type { WatchedInstance } from '../../../domain/instances/instance.ts'
import { outlookOf } from '../../../domain/instances/instance-status.ts'
import type { ConnectionState } from '../../../domain/ssh/ssh-connection.ts'
import { ticks } from '../../instances/ticks.ts'
import type { InstanceWatch } from '../../instances/watch.ts'
import { ConnectFailed } from '../../ssh/connection/connect-failure.ts'
import type { Connections } from '../../ssh/connection/connections.ts'
import { SshFailure } from '../../ssh/failure.ts'
import type { GuardStore } from '../guard-store.ts'
import { dueAtByWord, outcomeOf } from './outcome.ts'
import { readAnswer, type ScriptAnswer } from './script-answer.ts'
import { askScript, type ScriptCommand } from './script-command.ts'
import { orderText, revisionOf, type OrderedGuard } from './script-order.ts'

export interface InstanceWatchersOptions {
  readonly store: GuardStore
  readonly watch: Pick<InstanceWatch, 'snapshot' | 'find'>
  readonly connections: Pick<Connections, 'acquire' | 'state'>
  /** The instance's own key; `null` when it isn't kept here, as the instance may have it. */
  readonly keyOf: (instanceId: number) => Promise<string | null>
  /** Where the service is, as `Credentials` has it. */
  readonly serviceAddress: () => string
  /** The folder of the scripts that run on instances. */
  readonly scripts: string
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

const tickMs = 15_000
/** Between two looks: short where a connection stands anyway. */
const lookEveryMs = { connected: 60_000, alone: 5 * 60_000 } as const
/** After a look that failed and may do better the next time; each one doubles it, up to `lookEveryMs.alone`. */
const firstRetryMs = 15_000
/** Lists that come one after the other don't ask more instances than this at once. */
const mostAtOnce = 4

const asking: ReadonlySet<ConnectionState['kind']> = new Set(['unknown-host', 'passphrase', 'login'])

interface Watcher {
  view: WatcherView
  /** The guards that were wished for at the last look. */
  wished: string | null
  /** `null`: not before the user or a new connection says so. */
  nextAt: number | null
  failures: number
  looking: Promise<void> | null
}

/**
 * Sees to it that instances watch over themselves as the user wishes: gives their script its guards, again after a
 * restart of the instance, and asks it how far it is. What can't be said to an instance now stays a wish.
 */
export class InstanceWatchers {
  readonly views = new Latest<readonly WatcherView[]>([])
  readonly #options: InstanceWatchersOptions
  readonly #watchers = new Map<number, Watcher>()
  /** Ends with the account. */
  readonly #end = new AbortController()

  constructor(options: InstanceWatchersOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options
    for await (const _ of ticks(store.state, { clock, everyMs: tickMs, signal })) this.#startLooks()
    this.#end.abort(signal.reason)
    for (const { looking } of this.#watchers.values()) await looking
  }

  /** Asks one instance at once, also when it was no use to try. */
  async lookNow(instanceId: number): Promise<void> {
    const watcher = this.#watcherOf(instanceId)
    await watcher.looking
    await this.#startLook(instanceId, watcher)
  }

  /** Whether the instance has said that it watches this guard, and nothing since speaks against it. */
  isWatched(instanceId: number, guardId: string): boolean {
    const view = this.#watchers.get(instanceId)?.view
    return view !== undefined && view.heardAt !== null && view.watched.some(({ id }) => id === guardId)
  }

  #startLooks(): void {
    const { store, watch, clock, connections } = this.#options
    // Which instances there are isn't known yet.
    if (watch.snapshot.value.instances === null) return
    const ids = new Set(store.instancesToWatch)
    for (const id of [...this.#watchers.keys()].filter((known) => !ids.has(known))) this.#forget(id)
    for (const id of ids) {
      const watcher = this.#watcherOf(id)
      const hasChanged = watcher.wished !== this.#wishOf(id)
      const isReached = watcher.nextAt === null && connections.state(id).value.kind === 'open'
      const isDue = watcher.nextAt !== null && watcher.nextAt <= clock.now()
      if (watcher.looking !== null || this.#countLooks() >= mostAtOnce) continue
      // The list shows it stopped or gone: it may have done what it was told.
      const runs = isRunning(watch.find(id))
      const hasEnded = watcher.view.heardAt !== null && !runs
      const hasBegun = watcher.view.problem?.kind === 'not-running' && runs
      if (hasChanged || isReached || isDue || hasEnded || hasBegun) void this.#startLook(id, watcher)
    }
  }

  /** Those that wait for the user's word, about a host key for one, may do so for hours, and hold up nobody. */
  #countLooks(): number {
    const { connections } = this.#options
    const waits = (id: number): boolean => asking.has(connections.state(id).value.kind)
    return [...this.#watchers].filter(([id, { looking }]) => looking !== null && !waits(id)).length
  }

  #startLook(id: number, watcher: Watcher): Promise<void> {
    watcher.looking = this.#look(id, watcher, this.#end.signal).finally(() => {
      watcher.looking = null
      this.#show(watcher, { isLooking: false })
    })
    return watcher.looking
  }

  async #look(id: number, watcher: Watcher, signal: AbortSignal): Promise<void> {
    const { watch, log } = this.#options
    watcher.wished = this.#wishOf(id)
    const instance = watch.find(id)
    const guards = this.#guardsOf(id)
    const isOther = (one: Guard): boolean =>
      instance !== undefined && areDifferent(one.identity, identityOf(instance.record))
    try {
      if (!isRunning(instance) || guards.some(isOther)) {
        await this.#noteWhatWasDone(watcher, guards, instance)
        return this.#noteFailure(watcher, { kind: 'not-running' })
      }
      this.#show(watcher, { isLooking: true })
      await this.#noteAnswer(watcher, await this.#ask(id, guards, signal), guards.length > 0)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ConnectFailed || error instanceof SshFailure))
        log.error(`Auto-stop rules on instance ${id} could not be looked at`, error)
      const isPassing = !(error instanceof ConnectFailed) || error.isPassing
      this.#noteFailure(watcher, { kind: 'not-connected' }, isPassing)
    }
  }

  /** An instance that has done what it was told answers no more: the list tells, and the time at which it was due. */
  async #noteWhatWasDone(
    { view }: Watcher,
    guards: readonly Guard[],
    instance: WatchedInstance | undefined,
  ): Promise<void> {
    const { store, watch, clock } = this.#options
    const { instances, problem, unreadable } = watch.snapshot.value
    if (instances === null || problem !== null || unreadable.length > 0) return
    if (instance === undefined && guards.length === 0) await store.noteUnwatched(view.instanceId)
    const deed = instance === undefined ? 'destroy' : isAtRest(instance) ? 'stop' : null
    for (const one of guards.filter(({ action }) => action === deed)) {
      const dueAt = store.dueAt(one) ?? dueAtByWord(view, one.id)
      const since = instance === undefined ? one.absentSince : (instance.history.at(-1)?.at ?? null)
      const outcome = outcomeOf(one.action, { dueAt, since, now: clock.now() })
      if (dueAt !== null && outcome !== null) await store.finish(one, { dueAt, firedAt: dueAt }, outcome)
    }
  }

  async #ask(id: number, guards: readonly Guard[], signal: AbortSignal): Promise<ScriptAnswer> {
    const { connections, store, clock, randomId, keyOf, scripts, serviceAddress } = this.#options
    const lease = await connections.acquire(id, signal)
    try {
      const ask = async (command: ScriptCommand): Promise<ScriptAnswer> =>
        readAnswer(await askScript(command, { lease, clock, randomId, signal }))
      const before = await ask({ kind: 'state' })
      const ordered = guards.map((one) => ({ ...one, dueAt: store.dueAt(one) }))
      if (before === null || this.#hasAll(before, ordered)) return before
      // Written first: what the instance was told must be taken back one day, whatever becomes of the answer.
      const owner = await store.noteWatched(id)
      const order = orderText({
        ...{ owner, instanceId: id, serviceAddress: serviceAddress(), key: (await keyOf(id)) ?? '' },
        ...{ guards: ordered, now: clock.now() },
      })
      return await ask({ kind: 'arm', script: await readFile(join(scripts, 'guard.sh'), 'utf8'), order })
    } finally {
      lease.release()
    }
  }

  /** Whether it watches just what this computer wishes for. */
  #hasAll(answer: NonNullable<ScriptAnswer>, ordered: readonly OrderedGuard[]): boolean {
    if (!answer.armed) return ordered.length === 0 && answer.why === 'not-armed'
    const own = answer.orders.find(({ owner }) => owner === this.#options.store.owner)
    if (ordered.length === 0) return own === undefined
    return answer.running && own?.revision === revisionOf(ordered, this.#options.serviceAddress())
  }

  async #noteAnswer(watcher: Watcher, answer: ScriptAnswer, isWished: boolean): Promise<void> {
    const { store, clock, connections } = this.#options
    const { instanceId } = watcher.view
    // It has none of this computer any more, whatever others have given it.
    if (answer !== null && !isWished && this.#hasAll(answer, [])) await store.noteUnwatched(instanceId)
    if (answer?.armed === false && answer.why !== 'not-armed')
      return this.#noteFailure(watcher, { kind: 'refused', why: answer.why })
    if (!answer?.armed || !answer.running) return this.#noteFailure(watcher, { kind: 'not-understood' })
    const now = clock.now()
    const isOpen = connections.state(instanceId).value.kind === 'open'
    const isOwn = ({ owner }: { readonly owner: string }): boolean => owner === store.owner
    watcher.failures = 0
    watcher.nextAt = now + (isOpen ? lookEveryMs.connected : lookEveryMs.alone)
    this.#show(watcher, {
      heardAt: now - Math.max(0, answer.now - answer.uptime) * 1000,
      problem: null,
      foreign: answer.rules.filter((rule) => !isOwn(rule)).length,
      watched: answer.rules.filter(isOwn).map(({ id, elapsed, seconds, waits, phase }) => ({
        ...{ id, seconds, phase, elapsedSeconds: elapsed },
        busy: waits === '' ? null : waits,
      })),
    })
  }

  #noteFailure(watcher: Watcher, problem: WatcherProblem, isPassing = true): void {
    const { clock } = this.#options
    const pause = Math.min(firstRetryMs * 2 ** watcher.failures++, lookEveryMs.alone)
    watcher.nextAt = isPassing ? clock.now() + pause : null
    // What isn't reached goes on as it was told; what doesn't run or refuses watches nothing.
    const isLost = problem.kind === 'not-connected'
    this.#show(watcher, { problem, ...(!isLost && { heardAt: null, watched: [], foreign: 0 }) })
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
    const view: WatcherView = {
      ...{ instanceId, heardAt: null, watched: [], foreign: 0, problem: null, isLooking: false },
    }
    const made: Watcher = { view, wished: null, nextAt: 0, failures: 0, looking: null }
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

function isRunning(instance: WatchedInstance | undefined): boolean {
  return instance !== undefined && outlookOf(instance).kind === 'ready'
}
