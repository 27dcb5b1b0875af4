import type { Clock } from '../domain/clock.ts'
import type { InstanceAction } from '../domain/instance.ts'
import { ProblemError } from '../domain/problem.ts'
import { mayHaveHappened } from '../domain/service-errors.ts'
import type { InstanceWatch } from './watch.ts'

export interface InstanceActionsOptions {
  readonly stop: (id: number) => Promise<void>
  readonly destroy: (id: number) => Promise<void>
  readonly watch: InstanceWatch
  readonly clock: Clock
}

export interface InstanceActions {
  /** @throws ProblemError when the service certainly did not act */
  readonly stop: (id: number) => Promise<void>
  /** @throws ProblemError when the service certainly did not act */
  readonly destroy: (id: number) => Promise<void>
}

/**
 * Stop and destroy, each sent once. What counts is what the service lists afterwards: until the list shows
 * the effect the action is pending, also when its reply was lost.
 */
export function createInstanceActions({
  stop,
  destroy,
  watch,
  clock,
}: InstanceActionsOptions): InstanceActions {
  /** What was sent and is not answered yet: asked for again meanwhile, it is the same action. */
  const underWay = new Map<string, Promise<void>>()

  function once(id: number, action: InstanceAction['action']): Promise<void> {
    const name = `${action} ${id}`
    const running = underWay.get(name)
    if (running) return running
    const done = act(id, action).finally(() => underWay.delete(name))
    underWay.set(name, done)
    return done
  }

  async function act(id: number, action: InstanceAction['action']): Promise<void> {
    const asked: InstanceAction = { action, since: clock.now(), failure: null }
    watch.setPending(id, asked)
    try {
      await (action === 'stop' ? stop(id) : destroy(id))
    } catch (error) {
      if (error instanceof ProblemError && mayHaveHappened(error.problem)) {
        watch.setPending(id, { ...asked, failure: error.problem })
      } else {
        watch.setPending(id, null)
        if (!(action === 'destroy' && isGone(error))) throw error
      }
    }
    await watch.refresh()
  }

  return { stop: (id) => once(id, 'stop'), destroy: (id) => once(id, 'destroy') }
}

/** What should be removed is not there: that is what was wanted. */
function isGone(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.kind === 'refused' && error.problem.status === 404
}
