import type { FiguresAlarm, FiguresAlarmKind, FiguresAlarms } from '../../domain/figures/figures-alarm.ts'
import {
  figuresNotification,
  manyFiguresNotification,
  type Notification,
} from '../../domain/notifications/notification.ts'

/** After a notification of a kind, those of other instances are gathered for so long. */
const gatherMs = 60_000

interface News {
  readonly instanceId: number
  readonly alarm: FiguresAlarm
  readonly perHourUsd: number | null
}

/** New alarms until they are told: the first of a kind at once, and many of a kind together. */
export class AlarmNews {
  readonly #toldAt = new Map<FiguresAlarmKind, number>()
  #waiting: readonly News[] = []

  add(instanceId: number, alarms: readonly FiguresAlarm[], perHourUsd: number | null): void {
    this.#waiting = [...this.#waiting, ...alarms.map((alarm) => ({ instanceId, alarm, perHourUsd }))]
  }

  /** What is to be told now. @param standing what is over in the meantime isn't told */
  take(standing: FiguresAlarms, now: number): readonly Notification[] {
    const isStanding = ({ instanceId, alarm }: News): boolean =>
      standing.some(
        (one) => one.instanceId === instanceId && one.alarms.some(({ kind }) => kind === alarm.kind),
      )
    const waiting = this.#waiting.filter(isStanding)
    const isDue = ({ alarm }: News): boolean => {
      const toldAt = this.#toldAt.get(alarm.kind)
      return toldAt === undefined || Math.abs(now - toldAt) >= gatherMs
    }
    const due = Map.groupBy(waiting.filter(isDue), ({ alarm }) => alarm.kind)
    this.#waiting = waiting.filter(({ alarm }) => !due.has(alarm.kind))
    return [...due].flatMap(([kind, all]) => {
      this.#toldAt.set(kind, now)
      const [first] = all
      if (first === undefined) return []
      if (all.length > 1) return [manyFiguresNotification(kind, all.length)]
      return [figuresNotification(first.instanceId, first.alarm, { perHourUsd: first.perHourUsd, now })]
    })
  }
}
