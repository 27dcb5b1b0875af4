import {
  alarmKey,
  alarmMeaning,
  alarmWords,
  manyAlarmsText,
  type FiguresAlarmKind,
  type FiguresAlarms,
} from '#domain/figures/figures-alarm.ts'

/** Of one kind, so many instances have a banner each; more have one together. */
const mostApart = 3

export interface FiguresBanner {
  readonly key: string
  readonly kind: FiguresAlarmKind
  /** `null`: of several instances. */
  readonly instanceId: number | null
  readonly title: string
  readonly when?: string
  readonly text: string
  /** What is dismissed with it. */
  readonly alarms: readonly string[]
}

/** @param priceOf an instance's, per hour; `null` when it isn't known. @param now ms since the epoch */
export function figuresBanners(
  all: FiguresAlarms,
  dismissed: ReadonlySet<string>,
  { priceOf, now }: { readonly priceOf: (instanceId: number) => number | null; readonly now: number },
): readonly FiguresBanner[] {
  const each = all.flatMap(({ instanceId, alarms }) =>
    alarms.map((alarm) => ({ instanceId, alarm, key: alarmKey(instanceId, alarm) })),
  )
  const shown = Map.groupBy(
    each.filter(({ key }) => !dismissed.has(key)),
    ({ alarm }) => alarm.kind,
  )
  return [...shown].flatMap(([kind, ofKind]): readonly FiguresBanner[] => {
    if (ofKind.length > mostApart) {
      const alarms = ofKind.map(({ key }) => key)
      return [{ key: kind, kind, instanceId: null, alarms, ...manyAlarmsText(kind, ofKind.length) }]
    }
    return ofKind.map(({ instanceId, alarm, key }) => {
      const { title, extent } = alarmWords(alarm, priceOf(instanceId), now)
      return {
        ...{ key, kind, instanceId, alarms: [key], title: `Instance ${instanceId}: ${title}` },
        ...{ text: alarmMeaning(alarm), ...(extent !== null && { when: extent }) },
      }
    })
  })
}
