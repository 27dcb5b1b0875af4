import type { GuardOrder } from '#domain/guards/guard.ts'
import type { InstanceRecord } from '#domain/instances/instance.ts'
import type { ActionEntry } from '#services/instances/action-journal.ts'
import { createInstanceActions } from '#services/instances/actions.ts'
import { IdleTracker, type IdleTrackerFile } from '#services/guards/idle-tracker.ts'
import { guardsFile, type GuardsFile } from '#services/guards/guards-file.ts'
import { GuardStore } from '#services/guards/guard-store.ts'
import { GuardWatch } from '#services/guards/guard-watch.ts'
import { InstanceWatch } from '#services/instances/watch.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryJournal } from '../../support/memory-journal.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { wholeList } from '../../support/whole-list.ts'

export const minute = 60_000
export const hour = 60 * minute

/** Of a rule over that machine, in Slipway. */
export const here = { instanceId: 1, place: 'slipway' } as const

/** One machine at $2/h, rented just now, and Slipway. `run()` again is a restart. */
export function guardWorld() {
  const clock = new FakeClock()
  const machine: InstanceRecord = {
    id: 1,
    actual_status: 'running',
    dph_total: 2,
    start_date: clock.now() / 1000,
    machine_id: 70,
  }
  const instances = [machine]
  const sent: string[] = []
  const connected = new Set<number>()
  /** When the list was asked for. */
  const lists: number[] = []
  const file = memoryFile<GuardsFile>(guardsFile.fallback)
  const idleTrackerFile = memoryFile<IdleTrackerFile>([])
  const journal = memoryJournal<ActionEntry>()
  const service = {
    list: (): readonly InstanceRecord[] => instances.map((one) => ({ ...one })),
    stop: () => {
      machine.actual_status = 'stopped'
      machine['cur_state'] = 'stopped'
    },
    destroy: () => void instances.splice(0),
  }
  async function run(idPrefix = 'guard') {
    const end = new AbortController()
    const log = memoryLog()
    const news: string[] = []
    const watch = new InstanceWatch({
      list: async () => {
        lists.push(clock.now())
        return wholeList(service.list())
      },
      restingPauseMs: () => 5 * minute,
      clock,
      random: () => 0,
      log,
    })
    const actions = createInstanceActions({
      stop: async (id) => {
        sent.push(`stop ${id}`)
        service.stop()
      },
      destroy: async (id) => {
        sent.push(`destroy ${id}`)
        service.destroy()
      },
      watch,
      journal,
      clock,
      log,
    })
    const idleTracker = new IdleTracker({ file: idleTrackerFile, inUse: [() => connected], clock, log })
    let ids = 0
    const store = new GuardStore({ file, watch, idleTracker, clock, randomId: () => `${idPrefix}-${++ids}` })
    const guards = new GuardWatch({
      store,
      watch,
      actions,
      idleTracker,
      clock,
      log,
      notify: ({ kind }) => void news.push(`${kind} ${clock.now()}`),
    })
    await actions.open()
    void actions.follow(end.signal)
    void guards.follow(end.signal)
    watch.start()
    await settle()
    return { store, news, watch, log, actions, quit: () => (end.abort(), watch.stop(), settle()) }
  }
  const destroyAfter = (hours: number): GuardOrder => ({
    ...here,
    action: 'destroy',
    condition: { kind: 'after', hours },
  })
  return { clock, machine, instances, lists, sent, connected, file, service, run, destroyAfter }
}
