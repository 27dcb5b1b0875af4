import type { Disk, Figures, Gpu } from '../../domain/figures/figures.ts'
import { percentOf } from '../../domain/figures/points.ts'
import type { FiguresAlarm, FiguresAlarmKind } from '../../domain/figures/figures-alarm.ts'

/** What is remembered of an instance's figures between two of them, and what they warn of. */
export interface Health {
  /** When the last ones came, ms since the epoch. */
  readonly at: number
  /** Since when no GPU was in use, without a gap; `null` while one is, or isn't known. */
  readonly idleSince: number | null
  /** Since when the tool that lists GPUs has failed, without a gap; `null` while it doesn't. */
  readonly failedSince: number | null
  /** The most GPUs that it listed. */
  readonly mostGpus: number
  readonly alarms: readonly FiguresAlarm[]
  /** The kinds that were told, until what they told of is over. */
  readonly told: readonly FiguresAlarmKind[]
}

/**
 * As the script for auto-stop rules counts (`gpus_idle` in resources/machine/usage.sh), so that both say the
 * same of GPUs. A rule also waits until no terminal is open and processors are at 20% or less.
 */
const idlePercent = 5
/** Figures come every 10 s, and a tool that hangs is given as long: after more, nothing is known of the time between. */
const gapMs = 60_000
/** A tool may fail for a moment; one that goes on failing may do so because a GPU is gone. */
const failedMs = 5 * 60_000

/** From where a value warns, and below which that is over: what goes up and down around one bound is told once. */
interface Level {
  readonly isOver: (value: number) => boolean
  readonly overBelow: number
}
const levels = {
  diskFull: { isOver: (percent) => percent > 90, overBelow: 85 },
  gpuMemoryFull: { isOver: (percent) => percent >= 98, overBelow: 95 },
  // GPUs that are rented slow down from 83–93 °C on, by model, and run at up to 85 °C under load as a matter of course.
  gpuHot: { isOver: (celsius) => celsius >= 90, overBelow: 85 },
} as const satisfies Partial<Record<FiguresAlarmKind, Level>>

/** No GPU is in use; `null` when that isn't known, as what is unknown may be in use. */
export function isIdle({ gpus }: Figures): boolean | null {
  if (gpus.kind !== 'measured' || gpus.list.length === 0) return null
  const uses = gpus.list.map(({ usePercent }) => usePercent)
  if (uses.some((use) => use !== null && use > idlePercent)) return false
  return uses.includes(null) ? null : true
}

/** The fullest disk, with its share in percent. */
export function fullestDisk({ disks }: Figures): { readonly disk: Disk; readonly percent: number } | null {
  const fullest = highest(disks.map((disk) => ({ of: disk, value: diskPercent(disk) })))
  return fullest && { disk: fullest.of, percent: fullest.value }
}

/** What an instance's next figures make of its health. `news`: what wasn't told yet. @param idleMs when idle GPUs warn */
export function healthAfter(
  before: Health | null,
  figures: Figures,
  idleMs: number,
): { readonly health: Health; readonly news: readonly FiguresAlarm[] } {
  const { at } = figures
  const list = figures.gpus.kind === 'measured' ? figures.gpus.list : null
  const idle = isIdle(figures)
  const isGap = before === null || Math.abs(at - before.at) > gapMs
  const idleSince = idle === true ? ((isGap ? null : before.idleSince) ?? at) : null
  const isFailed = figures.gpus.kind === 'failed'
  const failedSince = isFailed ? ((isGap ? null : before.failedSince) ?? at) : null
  const mostGpus = Math.max(before?.mostGpus ?? 0, list?.length ?? 0)
  const told = before?.told ?? []

  /** With no value that is known, it stays as it was; with several that are over, it stays with the one that it named. */
  const atLevel = (
    kind: keyof typeof levels,
    all: readonly Measured[],
    alarmOf: (one: Known<string | number>) => FiguresAlarm,
  ): Standing => {
    const { isOver, overBelow } = levels[kind]
    const { alarm } = stays(kind)
    const known = all.flatMap(({ of, value }) => (value === null ? [] : { of, value }))
    const named = known.find(({ of, value }) => alarm !== null && of === subjectOf(alarm) && isOver(value))
    const shown = named ?? highest(known)
    if (shown === null) return stays(kind)
    const isAlarm = isOver(shown.value) || (told.includes(kind) && shown.value >= overBelow)
    return { kind, alarm: isAlarm ? alarmOf(shown) : null, isPast: shown.value < overBelow }
  }
  const stays = (kind: FiguresAlarmKind): Standing => ({
    kind,
    alarm: before?.alarms.find((one) => one.kind === kind) ?? null,
    isPast: false,
  })

  const goneNow = (): Standing => {
    const kind = 'gpuGone'
    if (list !== null) {
      const missing = mostGpus - list.length
      return { kind, alarm: missing > 0 ? { kind, missing, of: mostGpus } : null, isPast: missing === 0 }
    }
    const isFailing = mostGpus > 0 && failedSince !== null && at - failedSince >= failedMs
    return isFailing ? { kind, alarm: { kind, missing: null, of: mostGpus }, isPast: false } : stays(kind)
  }

  const standings: readonly Standing[] = [
    {
      kind: 'gpuIdle',
      alarm: idleSince !== null && at - idleSince >= idleMs ? { kind: 'gpuIdle', since: idleSince } : null,
      isPast: idle === false,
    },
    atLevel(
      'diskFull',
      figures.disks.map((disk) => ({ of: disk.path, value: diskPercent(disk) })),
      ({ of, value }) => ({
        ...{ kind: 'diskFull', path: String(of), percent: value },
      }),
    ),
    atLevel(
      'gpuMemoryFull',
      (list ?? []).map((gpu) => ({ of: gpu.index, value: memoryPercent(gpu) })),
      ({ of, value }) => ({
        ...{ kind: 'gpuMemoryFull', gpu: Number(of), percent: value },
      }),
    ),
    atLevel(
      'gpuHot',
      (list ?? []).map((gpu) => ({ of: gpu.index, value: gpu.celsius })),
      ({ of, value }) => ({
        ...{ kind: 'gpuHot', gpu: Number(of), celsius: value },
      }),
    ),
    goneNow(),
  ]
  const alarms = standings.flatMap(({ alarm }) => alarm ?? [])
  const isStillTold = ({ kind, alarm, isPast }: Standing): boolean =>
    alarm !== null || (told.includes(kind) && !isPast)
  return {
    health: {
      at,
      idleSince,
      failedSince,
      mostGpus,
      alarms,
      told: standings.filter(isStillTold).map(({ kind }) => kind),
    },
    news: alarms.filter(({ kind }) => !told.includes(kind)),
  }
}

interface Standing {
  readonly kind: FiguresAlarmKind
  readonly alarm: FiguresAlarm | null
  /** What it told of is over, so that the next time is told again. */
  readonly isPast: boolean
}

/** A value, and the GPU or disk that it is of. */
interface Measured<T = string | number> {
  readonly of: T
  readonly value: number | null
}
type Known<T> = Measured<T> & { readonly value: number }

function subjectOf(alarm: FiguresAlarm): string | number | null {
  return 'path' in alarm ? alarm.path : 'gpu' in alarm ? alarm.gpu : null
}

function diskPercent({ usedBytes, sizeBytes }: Disk): number | null {
  return percentOf(usedBytes, sizeBytes)
}

function memoryPercent({ memoryUsedBytes, memoryBytes }: Gpu): number | null {
  return percentOf(memoryUsedBytes, memoryBytes)
}

/** The one of the highest known value; `null` when none is known. */
function highest<T>(all: readonly Measured<T>[]): Known<T> | null {
  return all
    .flatMap(({ of, value }) => (value === null ? [] : { of, value }))
    .reduce<Known<T> | null>((most, one) => (most === null || one.value > most.value ? one : most), null)
}
