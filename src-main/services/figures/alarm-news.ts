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

  /** What is to be told now. @param standing what is over isn't told, and what lasts but doesn't show waits */
  take(standing: FiguresAlarms, now: number): readonly Notification[] {
    const isGathered = (kind: FiguresAlarmKind): boolean => {
      const toldAt = this.#toldAt.get(kind)
      return toldAt === undefined || Math.abs(now - toldAt) >= gatherMs
    }
    const due: News[] = []
    const waiting: News[] = []
    for (const one of this.#waiting) {
      const { kind } = one.alarm
      const ofOne = standing.find(({ instanceId }) => instanceId === one.instanceId)
      if (ofOne?.lasting.includes(kind) !== true) continue
      const alarm = ofOne.alarms.find((each) => each.kind === kind)
      if (alarm !== undefined && isGathered(kind)) due.push({ ...one, alarm })
      else waiting.push(one)
    }
    this.#waiting = waiting
    return [...Map.groupBy(due, ({ alarm }) => alarm.kind)].flatMap(([kind, all]) => {
      this.#toldAt.set(kind, now)
      const [first] = all
      if (first === undefined) return []
      if (all.length > 1) return [manyFiguresNotification(kind, all.length)]
      return [figuresNotification(first.instanceId, first.alarm, { perHourUsd: first.perHourUsd, now })]
    })
  }
}
