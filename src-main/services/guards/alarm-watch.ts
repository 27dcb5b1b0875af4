import type { AccountState } from '../../domain/accounts/account.ts'
import { alarmsOf, noAlarms, type Alarms } from '../../domain/guards/alarms.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import {
  creditNotification,
  unattendedNotification,
  type Notification,
} from '../../domain/notifications/notification.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { IdleTracker } from './idle-tracker.ts'
import { ticks } from '../instances/ticks.ts'
import type { InstanceWatch } from '../instances/watch.ts'

export interface AlarmWatchOptions {
  readonly watch: Pick<InstanceWatch, 'snapshot'>
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly idleTracker: Pick<IdleTracker, 'attendedAt'>
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  readonly clock: Clock
  readonly notify: (notification: Notification) => void
}

const tickMs = 60_000
/** It is told again only after it was better by this much. */
const relief = 1.25

/** Watches over the credit and over machines that nobody looks after; each is told once. */
export class AlarmWatch {
  readonly state = new Latest<Alarms>(noAlarms)
  readonly #options: AlarmWatchOptions
  #toldCredit = false
  /** Instances, each with the time since when nobody was there that was told. */
  readonly #told = new Map<number, number>()

  constructor(options: AlarmWatchOptions) {
    this.#options = options
  }

  async follow(signal: AbortSignal): Promise<void> {
    const { watch, clock } = this.#options
    for await (const _ of ticks(watch.snapshot, { clock, everyMs: tickMs, signal })) this.#look()
  }

  #look(): void {
    const { watch, account, idleTracker, preferences, clock, notify } = this.#options
    const { instances } = watch.snapshot.value
    const user = account.value
    if (instances === null || user.kind !== 'connected') return this.state.set(noAlarms)
    const settings = preferences.value.notifications
    const facts = {
      instances,
      creditUsd: user.user?.credit,
      attendedAt: (id: number) => idleTracker.attendedAt(id),
      settings,
      now: clock.now(),
    }
    const alarms = alarmsOf(facts)
    this.state.set(alarms)

    if (alarms.creditHours !== null && !this.#toldCredit) notify(creditNotification(alarms.creditHours))
    const eased = { ...settings, creditHours: settings.creditHours * relief }
    this.#toldCredit =
      alarms.creditHours !== null ||
      (this.#toldCredit && alarmsOf({ ...facts, settings: eased }).creditHours !== null)

    for (const { instanceId, since } of alarms.unattended) {
      if (this.#told.get(instanceId) === since) continue
      this.#told.set(instanceId, since)
      notify(unattendedNotification(instanceId, (facts.now - since) / 3_600_000))
    }
  }
}
