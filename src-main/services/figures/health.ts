import type { Disk, Figures, Gpu } from '../../domain/figures/figures.ts'
import { percentOf } from '../../domain/figures/points.ts'
import type { FiguresAlarm, FiguresAlarmKind } from '../../domain/figures/figures-alarm.ts'

/** What is remembered of an instance's figures between two of them, and what they warn of. */
export interface Health {
  /** When the last ones came, ms since the epoch. */
  readonly at: number
  /** Since when no GPU was in use, without a gap; `null` while one is, or isn't known. */
  readonly idleSince: number | null
  /** The most GPUs that it listed. */
  readonly mostGpus: number
  readonly alarms: readonly FiguresAlarm[]
  /** The kinds that were told, until what they told of is over. */
  readonly told: readonly FiguresAlarmKind[]
}

/** As the script for auto-stop rules counts (`gpus_idle` in resources/machine/usage.sh), so that a rule that is offered acts. */
const idlePercent = 5
/** Figures come every 10 s, and a tool that hangs is given as long: after more, nothing is known of the time between. */
const gapMs = 60_000

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
  return highest(disks.map((disk) => ({ disk, percent: percentOf(disk.usedBytes, disk.sizeBytes) })))
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
  const mostGpus = Math.max(before?.mostGpus ?? 0, list?.length ?? 0)
  const told = before?.told ?? []

  /** With a value that isn't known, it stays as it was. */
  const atLevel = <A extends FiguresAlarm>(
    kind: A['kind'] & keyof typeof levels,
    value: number | null,
    alarm: () => A,
  ): Standing => {
    const { isOver, overBelow } = levels[kind]
    if (value === null) return stays(kind)
    const isAlarm = isOver(value) || (told.includes(kind) && value >= overBelow)
    return { kind, alarm: isAlarm ? alarm() : null, isPast: value < overBelow }
  }
  const stays = (kind: FiguresAlarmKind): Standing => ({
    kind,
    alarm: before?.alarms.find((one) => one.kind === kind) ?? null,
    isPast: false,
  })

  const disk = fullestDisk(figures)
  const memory = highest((list ?? []).map((gpu) => ({ gpu, percent: memoryPercent(gpu) })))
  const heat = highest((list ?? []).map((gpu) => ({ gpu, percent: gpu.celsius })))
  const standings: readonly Standing[] = [
    {
      kind: 'gpuIdle',
      alarm: idleSince !== null && at - idleSince >= idleMs ? { kind: 'gpuIdle', since: idleSince } : null,
      isPast: idle === false,
    },
    atLevel('diskFull', disk && disk.percent, () => ({
      ...{ kind: 'diskFull', path: disk?.disk.path ?? '', percent: disk?.percent ?? 0 },
    })),
    atLevel('gpuMemoryFull', memory && memory.percent, () => ({
      ...{ kind: 'gpuMemoryFull', gpu: memory?.gpu.index ?? 0, percent: memory?.percent ?? 0 },
    })),
    atLevel('gpuHot', heat && heat.percent, () => ({
      ...{ kind: 'gpuHot', gpu: heat?.gpu.index ?? 0, celsius: heat?.percent ?? 0 },
    })),
    list === null
      ? stays('gpuGone')
      : {
          kind: 'gpuGone',
          alarm:
            list.length < mostGpus
              ? { kind: 'gpuGone', missing: mostGpus - list.length, of: mostGpus }
              : null,
          isPast: list.length === mostGpus,
        },
  ]
  const alarms = standings.flatMap(({ alarm }) => alarm ?? [])
  const isStillTold = ({ kind, alarm, isPast }: Standing): boolean =>
    alarm !== null || (told.includes(kind) && !isPast)
  return {
    health: { at, idleSince, mostGpus, alarms, told: standings.filter(isStillTold).map(({ kind }) => kind) },
    news: alarms.filter(({ kind }) => !told.includes(kind)),
  }
}

interface Standing {
  readonly kind: FiguresAlarmKind
  readonly alarm: FiguresAlarm | null
  /** What it told of is over, so that the next time is told again. */
  readonly isPast: boolean
}

function memoryPercent({ memoryUsedBytes, memoryBytes }: Gpu): number | null {
  return percentOf(memoryUsedBytes, memoryBytes)
}

/** The one of the highest known share; `null` when none is known. */
function highest<T extends { readonly percent: number | null }>(
  all: readonly T[],
): (T & { readonly percent: number }) | null {
  const isKnown = (one: T): one is T & { readonly percent: number } => one.percent !== null
  return all
    .filter(isKnown)
    .reduce<(T & { readonly percent: number }) | null>(
      (most, one) => (most === null || one.percent > most.percent ? one : most),
      null,
    )
}
