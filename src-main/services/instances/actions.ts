import { ownerOf } from '../../domain/base/account-identity.ts'
import { hasTakenEffect } from './action-effect.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { InstanceAction } from '../../domain/instances/instance.ts'
import type { Log } from '../../domain/base/log.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import { mayHaveHappened } from '../../domain/rental-api/service-errors.ts'
import type { Journal } from '../storage/journal.ts'
import type { AccountBound } from './account-bound.ts'
import { openActions, type ActionEntry, type AskedAction } from './action-journal.ts'
import type { InstanceWatch } from './watch.ts'

export interface InstanceActionsOptions {
  /** In the name of `owner` (`ownerOf`), or not at all. */
  readonly stop: (id: number, owner: string) => Promise<void>
  readonly destroy: (id: number, owner: string) => Promise<void>
  readonly watch: InstanceWatch
  readonly journal: Journal<ActionEntry>
  readonly clock: Clock
  readonly log: Log
}

/**
 * `of` is whose instance it is (`ownerOf`), for who decided that some time ago: with another account in use
 * meanwhile nothing is sent. Without it, the account in use is meant.
 */
export interface InstanceActions {
  /** @throws ProblemError when the service certainly did not act */
  readonly stop: (id: number, of?: string) => Promise<void>
  /** @throws ProblemError when the service certainly did not act */
  readonly destroy: (id: number, of?: string) => Promise<void>
}

export interface FollowedActions extends InstanceActions, AccountBound {
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
  let owner: string | null = null
  /** By instance, with the number of lists in a row that did not have it. */
  const open = new Map<number, { readonly asked: AskedAction; readonly missing: number }>()

  /** Never keeps an action from being sent: what saves money matters more than its record. */
  async function note(entry: ActionEntry): Promise<void> {
    try {
      await journal.append(entry)
    } catch (error) {
      log.error('The journal of actions could not be written', error)
    }
  }

  async function end({ instanceId, owner: of }: Pick<AskedAction, 'instanceId' | 'owner'>): Promise<void> {
    if (open.get(instanceId)?.asked.owner === of) open.delete(instanceId)
    await note({ kind: 'ended', owner: of, instanceId, at: clock.now() })
  }

  /** What was sent and is not answered yet: asked for again meanwhile, it is the same action. */
  const underWay = new Map<string, Promise<void>>()

  async function once(
    action: InstanceAction['action'],
    id: number,
    of: string | null = owner,
  ): Promise<void> {
    if (of === null || of !== owner) throw new ProblemError({ kind: 'no-account' })
    const name = `${action} ${id} ${of}`
    const running = underWay.get(name)
    if (running) return running
    const done = act(id, action, of).finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }

  async function act(id: number, action: InstanceAction['action'], of: string): Promise<void> {
    const pending: InstanceAction = { action, since: clock.now(), failure: null, lists: 0 }
    const asked = { kind: 'asked', owner: of, instanceId: id, action, at: pending.since } as const
    // Another account may have an instance with the same id.
    const show = (shown: InstanceAction | null): void => {
      if (owner === of) watch.setPending(id, shown)
    }
    open.set(id, { asked, missing: 0 })
    show(pending)
    await note(asked)
    try {
      await (action === 'stop' ? stop(id, of) : destroy(id, of))
    } catch (error) {
      if (error instanceof ProblemError && mayHaveHappened(error.problem)) {
        show({ ...pending, failure: error.problem })
      } else if (!(action === 'destroy' && isGone(error))) {
        show(null)
        await end(asked)
        throw error
      }
    }
    await watch.refresh()
  }

  async function look(): Promise<void> {
    for (const [id, known] of [...open]) {
      const { asked } = known
      const instance = watch.find(id)
      if (instance === undefined) {
        open.set(id, { asked, missing: known.missing + 1 })
        if (known.missing + 1 >= listsUntilGone) await end(asked)
      } else if (hasTakenEffect(asked.action, instance)) await end(asked)
      else {
        if (known.missing > 0) open.set(id, { asked, missing: 0 })
        // Asked for in an earlier run, or the service has left it out of a list.
        if (instance.pending === null)
          watch.setPending(id, { action: asked.action, since: asked.at, failure: null, lists: 0 })
      }
    }
  }

  return {
    stop: (id, of) => once('stop', id, of),
    destroy: (id, of) => once('destroy', id, of),

    forget: async (id) => {
      const known = open.get(id)
      watch.setPending(id, null)
      if (known) await end(known.asked)
    },

    enter: async (account) => {
      owner = ownerOf(account)
      open.clear()
      const all = openActions(await journal.readAll())
      const kept = new Set<string>(all.map((entry) => JSON.stringify(entry)))
      await journal.compact((entry) => kept.has(JSON.stringify(entry)))
      for (const asked of all) if (asked.owner === owner) open.set(asked.instanceId, { asked, missing: 0 })
    },

    leave: () => {
      owner = null
      open.clear()
    },

    follow: async (signal) => {
      let seenAt: number | null = null
      for await (const { instances, fetchedAt } of watch.snapshot.watch(signal)) {
        if (instances === null || fetchedAt === seenAt) continue
        seenAt = fetchedAt
        await look()
      }
    },
  }
}

/** What should be removed is not there: that is what was wanted. */
function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === 'refused' && error.problem.status === 404
}
