import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import { warningMs } from '../../domain/guards/guard.ts'
import {
  guardDisownedNotification,
  guardFiredNotification,
  guardSoonNotification,
  type Notification,
} from '../../domain/notifications/notification.ts'
import type { MoneyObstacle } from '../../domain/renting/auto-rent.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { InstancesService } from '../instances/open-instances.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { AlarmWatch } from './alarm-watch.ts'
import { costLimitFile, CostLimitWatch } from './cost-limit-watch.ts'
import { IdleTracker, idleTrackerFile, type IdleTrackerOptions } from './idle-tracker.ts'
import { guardsFile } from './guards-file.ts'
import { GuardStore } from './guard-store.ts'
import { GuardWatch, type GuardNews } from './guard-watch.ts'
import { moneyObstacle } from './money-obstacle.ts'
import { countPendingGuards } from './pending-guards.ts'
import { InstanceWatchers, type InstanceWatchersOptions } from './on-instance/instance-watchers.ts'

export interface GuardsDependencies {
  readonly file: Folder['file']
  readonly instances: Pick<InstancesService, 'watch' | 'caretakerActions'>
  /** What somebody works on instances by, with those that it is in use on now. */
  readonly inUse: IdleTrackerOptions['inUse']
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  readonly notify: (
    notification: Notification,
    action?: { readonly label: string; readonly run: () => void },
  ) => void
  readonly onInstances: Pick<InstanceWatchersOptions, 'connections' | 'keyOf' | 'serviceAddress' | 'scripts'>
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

export type GuardsService = Awaited<ReturnType<typeof openGuards>>

/**
 * What acts or warns so that nobody pays for nothing: guards over instances, and alarms.
 *
 * @throws ProblemError storage-failed when the guards cannot be read
 */
export async function openGuards(from: GuardsDependencies, lifetime: Lifetime) {
  const { file, instances, inUse, notify, clock, randomId, log } = from
  const { watch } = instances
  const idleTracker = new IdleTracker({
    file: await openJsonFile({ ...file('attendance.json'), ...idleTrackerFile }),
    inUse,
    clock,
    log,
  })
  const guardsJson = await openJsonFile({ ...file('guards.json'), ...guardsFile })
  const store = new GuardStore({
    file: guardsJson,
    watch,
    idleTracker,
    clock,
    randomId,
  })

  function postpone(guardId: string): void {
    store
      .postpone(guardId)
      .catch((error: unknown) => log.error('An auto-stop rule could not be postponed', error))
  }

  function tell({ kind, guard, dueAt }: GuardNews): void {
    const now = clock.now()
    // Told once for all of them.
    if (guard.condition.kind === 'limit' && kind === 'fired') return
    if (kind === 'fired') return notify(guardFiredNotification(guard, { dueAt, firedAt: now }))
    if (kind === 'disowned') return notify(guardDisownedNotification(guard))
    const minutes = Math.max(1, Math.round(Math.min(dueAt - now, warningMs) / 60_000))
    notify(guardSoonNotification(guard, minutes), {
      label: 'Add 1 hour',
      run: () => postpone(guard.id),
    })
  }

  const guardWatch = new GuardWatch({
    store,
    watch,
    actions: instances.caretakerActions,
    idleTracker,
    clock,
    log,
    notify: tell,
  })
  const alarmWatch = new AlarmWatch({ ...from, watch, idleTracker })
  const watchers = new InstanceWatchers({
    ...from.onInstances,
    ...{ file: guardsJson, store, watch, notify, clock, randomId, log },
  })
  const limit = new CostLimitWatch({
    file: await openJsonFile({ ...file('cost-limit.json'), ...costLimitFile }),
    ...{ store, watch, notify, clock, log },
  })
  for (const one of [guardWatch, alarmWatch, watchers, limit]) lifetime.follow((signal) => one.follow(signal))
  lifetime.follow(async (signal) => {
    for await (const views of watchers.views.watch(signal)) store.showOnInstances(views)
  })
  const countPending = (): number =>
    countPendingGuards(store.all, watchers.views.value, clock.now()) + (limit.state.value === null ? 0 : 1)
  /** Those that go on by guards of this computer, as far as they said. */
  const guardedInstances = (): readonly number[] =>
    watchers.views.value.flatMap(({ instanceId, watched }) => (watched.length > 0 ? [instanceId] : []))
  /** Gives a new instance the rule that the settings say. */
  const onRented = async (instanceId: number): Promise<void> => {
    const { stopsNewWhenIdle, newIdleMinutes } = from.preferences.value
    if (stopsNewWhenIdle) await store.stopNewWhenIdle(instanceId, newIdleMinutes)
  }
  const { account, preferences } = from
  const obstacleFor = (perHourUsd: number, unlistedUsd: number): MoneyObstacle | null => {
    const { instances, unreadable } = watch.snapshot.value
    const isKnown = account.value.kind === 'connected' && account.value.problem === null
    return moneyObstacle(perHourUsd, {
      ...{ instances: instances ?? [], unreadable: unreadable.length, unlistedUsd },
      creditUsd: isKnown ? account.value.user?.credit : null,
      creditHours: preferences.value.notifications.creditHours,
      limit: limit.state.value,
    })
  }
  return {
    ...{ store, watchers, limit, countPending, guardedInstances, onRented },
    /** What the account's money says against another instance at a price, besides what no list shows yet, both in $/h. */
    moneyObstacle: obstacleFor,
    alarms: alarmWatch.state,
  }
}
