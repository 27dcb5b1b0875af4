import { hasTakenEffect } from './action-effect.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { wholeListAt, type ActionKind, type InstanceAction } from '../../domain/instances/instance.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import { sendOnce } from '../rental-api/send-once.ts'
import type { Journal } from '../storage/journal.ts'
import { openActions, type ActionEntry } from './action-journal.ts'
import { advisedPauseMs, type InstanceWatch } from './watch.ts'

export interface InstanceActionsOptions extends InstanceActions {
  readonly watch: InstanceWatch
  readonly journal: Journal<ActionEntry>
  readonly clock: Clock
  readonly log: Log
}

/** By the id of an instance. @throws ProblemError when the service certainly did not act */
export type InstanceActions = Readonly<Record<ActionKind, (id: number) => Promise<void>>>

export interface FollowedActions extends InstanceActions {
  /** Takes up what was asked in earlier runs. @throws ProblemError storage-failed */
  readonly open: () => Promise<void>
  /** Lets go of an action that did not take: it is shown no more. */
  readonly forget: (id: number) => Promise<void>
  /** Sees by the lists what became of the actions, until the signal is aborted. */
  readonly follow: (signal: AbortSignal) => Promise<void>
}

/** Lists in a row without an instance after which it counts as gone: one may be a fault of the service. */
const listsUntilGone = 2

/**
 * Stop and destroy, each sent once. What counts is what the service lists afterwards: until the list shows
 * the effect the action is pending, also when its reply was lost, and also in the runs that come after.
 */
export function createInstanceActions(options: InstanceActionsOptions): FollowedActions {
  const { stop, destroy, watch, journal, clock, log } = options
  const send: InstanceActions = {
    stop,
    destroy: (id) => destroy(id).catch(unlessGone),
  }
  /** By instance, with the number of lists in a row that did not have it. The action that was asked last is shown. */
  const open = new Map<number, { readonly actions: readonly InstanceAction[]; readonly missing: number }>()

  /** Never keeps an action from being sent: what saves money matters more than its record. */
  async function note(entry: ActionEntry): Promise<void> {
    try {
      await journal.append(entry)
    } catch (error) {
      log.error('The journal of actions could not be written', error)
    }
  }

  async function end(instanceId: number): Promise<void> {
    if (open.delete(instanceId)) await note({ kind: 'ended', instanceId, at: clock.now() })
  }

  async function letGo(instanceId: number): Promise<void> {
    watch.setPending(instanceId, null)
    await end(instanceId)
  }

  /** What else was asked of an instance than this action. */
  const othersOf = (id: number, action: ActionKind): readonly InstanceAction[] =>
    open.get(id)?.actions.filter((each) => each.action !== action) ?? []

  /** Puts the action in the place of one of its kind; the newest is shown. */
  function pend(id: number, pending: InstanceAction): void {
    open.set(id, { actions: [...othersOf(id, pending.action), pending], missing: 0 })
    watch.setPending(id, pending)
  }

  /** This action has ended; one of the other kind is followed on. */
  async function endOne(id: number, action: ActionKind): Promise<void> {
    const actions = othersOf(id, action)
    const shown = actions.at(-1)
    if (shown === undefined) return letGo(id)
    open.set(id, { actions, missing: 0 })
    if (watch.find(id)?.pending?.action !== shown.action) watch.setPending(id, shown)
    await note({ kind: 'ended', instanceId: id, action, at: clock.now() })
  }

  /** What was sent and is not answered yet: asked for again meanwhile, it is the same action. */
  const underWay = new Map<string, Promise<void>>()

  async function once(action: ActionKind, id: number): Promise<void> {
    const name = `${action} ${id}`
    const running = underWay.get(name)
    if (running) return running
    const done = act(id, action).finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }

  async function act(id: number, action: ActionKind): Promise<void> {
    const pending: InstanceAction = { action, since: clock.now(), failure: null, lists: 0 }
    pend(id, pending)
    await sendOnce(
      {
        keep: () => note({ kind: 'asked', instanceId: id, action, at: pending.since }),
        drop: () => endOne(id, action),
      },
      () => send[action](id),
      async (error) => {
        if (!(error instanceof ProblemError)) throw error
        pend(id, { ...pending, failure: error.problem })
      },
    )
    await watch.refresh()
  }

  async function look(): Promise<void> {
    for (const [id, { actions, missing }] of [...open]) {
      const instance = watch.find(id)
      if (instance === undefined) {
        open.set(id, { actions, missing: missing + 1 })
        if (missing + 1 >= listsUntilGone) await letGo(id)
        continue
      }
      const done = actions.find(({ action }) => hasTakenEffect(action, instance))
      if (done !== undefined) await endOne(id, done.action)
      else if (missing > 0) open.set(id, { actions, missing: 0 })
    }
  }

  return {
    stop: (id) => once('stop', id),
    destroy: (id) => once('destroy', id),

    forget: letGo,

    open: async () => {
      const all = openActions(await journal.readAll())
      const kept = new Set<string>(all.map((entry) => JSON.stringify(entry)))
      await journal.compact((entry) => kept.has(JSON.stringify(entry)))
      for (const { instanceId, action, at } of all)
        pend(instanceId, { action, since: at, failure: null, lists: 0 })
    },

    follow: async (signal) => {
      // Also while a list lacks the instance: only the next one says that it's gone.
      watch.limitPause(() => (open.size > 0 ? advisedPauseMs : null))
      let seenAt: number | null = null
      for await (const latest of watch.snapshot.watch(signal)) {
        const { instances } = latest
        const fetchedAt = wholeListAt(latest)
        if (instances === null || fetchedAt === null || fetchedAt === seenAt) continue
        seenAt = fetchedAt
        await look()
      }
    },
  }
}

/** What should be removed is not there: that is what was wanted. */
function unlessGone(error: unknown): void {
  const isGone =
    error instanceof ProblemError && error.problem.kind === 'refused' && error.problem.status === 404
  if (!isGone) throw error
}
