import type { InstanceRecord, WatchedInstance } from '#domain/instances/instance.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import type { ActionEntry } from '#services/instances/action-journal.ts'
import { createInstanceActions } from '#services/instances/actions.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

/**
 * An instance with what stops and destroys it; again with the same journal, it's a restart.
 *
 * @param before the list of the run before
 */
export async function machine(
  journal = memoryJournal<ActionEntry>(),
  { status = 'running', before = [] as readonly WatchedInstance[] } = {},
) {
  const clock = new FakeClock()
  const instances: InstanceRecord[] = [{ id: 1, actual_status: status }]
  const end = new AbortController()
  const watch = new InstanceWatch({
    list: () => Promise.resolve(wholeList(instances.map((one) => ({ ...one })))),
    clock,
    random: () => 0,
    log: memoryLog(),
  })
  const calls: string[] = []
  const service = {
    stop: (id: number) => Promise.resolve(void calls.push(`stop ${id}`)),
    destroy: (id: number) => Promise.resolve(void calls.push(`destroy ${id}`)),
  }
  const actions = createInstanceActions({
    stop: (id) => service.stop(id),
    destroy: (id) => service.destroy(id),
    watch,
    journal,
    clock,
    log: memoryLog(),
  })
  await actions.open()
  void actions.follow(end.signal)
  watch.start(before)
  await settle()
  const quit = () => (end.abort(), watch.stop())
  return { clock, instances, watch, service, actions, calls, journal, quit }
}

export const failed = (problem: Problem) => () => Promise.reject(new ProblemError(problem))
export const lost: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }

export function never(): never {
  throw new Error('not there')
}
