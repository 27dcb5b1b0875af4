import type { AccountState } from '../domain/accounts/account.ts'
import type { Clock } from '../domain/base/clock.ts'
import { warningMs } from '../domain/guards/guard.ts'
import type { Latest } from '../domain/base/latest.ts'
import type { Log } from '../domain/base/log.ts'
import {
  chainNotification,
  guardDisownedNotification,
  guardFiredNotification,
  guardSoonNotification,
} from '../domain/notifications/notification.ts'
import { phaseOf } from '../domain/renting/chain.ts'
import type { RentBody } from '../domain/renting/rent-body.ts'
import type { RentOptions } from '../domain/renting/rent-request.ts'
import type { Unfinished } from '../domain/accounts/unfinished.ts'
import { AlarmWatch } from '../services/guards/alarm-watch.ts'
import type { Services } from '../ipc/services.ts'
import type { InstanceActions } from '../services/instances/actions.ts'
import { Attendance, attendanceFile } from '../services/guards/attendance.ts'
import { chainEntry } from '../services/renting/chain-journal.ts'
import type { ChainServices } from '../services/renting/chain-run.ts'
import { Chains } from '../services/renting/chains.ts'
import { GuardBook } from '../services/guards/guard-book.ts'
import { guardsFile } from '../services/guards/guards-file.ts'
import { GuardWatch } from '../services/guards/guard-watch.ts'
import { createNotifier, type ShowNotification } from '../services/notifications/notifier.ts'
import type { Renting } from '../services/renting/renting.ts'
import { tellStatusNews } from '../services/notifications/status-news.ts'
import type { InstanceWatch } from '../services/instances/watch.ts'
import { openJournal } from '../services/storage/journal.ts'
import { openJsonFile, type JsonFilePlace } from '../services/storage/json-file.ts'
import type { PreferencesFile } from '../services/settings/preferences.ts'
import type { Seal } from '../services/vault/keys/seal.ts'

export interface CaretakersOptions extends Pick<ChainServices, 'search' | 'isBlocked' | 'randomId'> {
  readonly file: (name: string) => JsonFilePlace
  readonly clock: Clock
  readonly log: Log
  readonly watch: InstanceWatch
  readonly renting: Pick<Renting, 'rent' | 'fateOf'>
  readonly actions: InstanceActions
  readonly account: Latest<AccountState>
  readonly preferences: PreferencesFile['latest']
  /** For what chains will rent, which may hold secrets. */
  readonly seal: Pick<Seal, 'seal' | 'open'>
  /** Instances that a terminal is connected to now. */
  readonly connected: () => ReadonlySet<number>
  /** @throws ProblemError invalid-input */
  readonly bodyOf: (options: RentOptions) => RentBody
  readonly show: ShowNotification
  /** What the user calls an instance. */
  readonly labelOf: (instanceId: number) => string | null
}

/** What acts on its own, put together by {@link composeCaretakers}. */
export type Caretakers = Awaited<ReturnType<typeof composeCaretakers>>

/**
 * Composes what acts on its own, so that nobody pays for nothing: chains, guards, alarms, and the notifications
 * that tell of them.
 *
 * @throws ProblemError storage-failed when what they have to see through cannot be read
 */
export async function composeCaretakers(options: CaretakersOptions) {
  const { file, clock, log, watch, actions, account, preferences, seal } = options
  const { randomId, connected, show, labelOf, renting } = options
  const attendance = new Attendance({
    file: await openJsonFile({ ...file('attendance.json'), ...attendanceFile }),
    connected,
    clock,
    log,
  })
  const book = new GuardBook({
    file: await openJsonFile({ ...file('guards.json'), ...guardsFile }),
    watch,
    attendance,
    clock,
    randomId,
  })
  const notifier = createNotifier({
    show,
    preferences,
    labelOf,
    postpone: (guardId) => {
      book.postpone(guardId).catch((error: unknown) => log.error('A guard could not be postponed', error))
    },
  })
  const { notify } = notifier
  const guardWatch = new GuardWatch({
    book,
    watch,
    actions,
    attendance,
    clock,
    log,
    notify: ({ kind, guard, dueAt }) => {
      const now = clock.now()
      if (kind === 'fired') return notify(guardFiredNotification(guard, { dueAt, firedAt: now }))
      if (kind === 'disowned') return notify(guardDisownedNotification(guard))
      const minutes = Math.max(1, Math.round(Math.min(dueAt - now, warningMs) / 60_000))
      notify(guardSoonNotification(guard, minutes))
    },
  })
  const chains = new Chains({
    ...options,
    rent: (offerId, body, rentalId) => renting.rent(offerId, body, rentalId),
    fateOf: (rentalId) => renting.fateOf(rentalId),
    destroy: actions.destroy,
    journal: openJournal({ ...file('chains.jsonl'), schema: chainEntry }),
    seal: (text) => seal.seal(text),
    unseal: (sealed) => seal.open(sealed),
    onEnded: ({ steps }) => {
      const phase = phaseOf(steps)
      const notification = phase.kind === 'ended' ? chainNotification(phase.outcome) : null
      if (notification !== null) notify(notification)
    },
  })
  await chains.open()
  const alarmWatch = new AlarmWatch({ watch, account, attendance, preferences, clock, notify })

  return {
    holds: chains.holds,
    unfinished: (): Unfinished => ({ guards: book.all.length, isTrying: chains.isTrying }),
    services: {
      chains: {
        state: chains.state,
        begin: async ({ options: wanted, ...order }) =>
          chains.begin({ ...order, body: options.bodyOf(wanted) }),
        stop: (id, machine) => chains.stop(id, machine),
        dismiss: (id) => chains.dismiss(id),
      },
      guards: { book, alarms: alarmWatch.state },
      notifications: notifier,
    } satisfies Pick<Services, 'chains' | 'guards' | 'notifications'>,
    follow: (signal: AbortSignal): Promise<unknown> =>
      Promise.all([
        chains.follow(signal),
        guardWatch.follow(signal),
        alarmWatch.follow(signal),
        tellStatusNews({ snapshot: watch.snapshot, seesTo: chains.seesTo, notify, signal }),
      ]),
  }
}
