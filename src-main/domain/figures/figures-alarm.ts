import { z } from 'zod'
import { assertNever } from '../base/assert-never.ts'
import { formatDecimals } from '../base/format-locale.ts'
import { formatUsdPerHour } from '../money/money.ts'

const percent = z.number()

/** What figures warn of; each kind can be switched off. */
const figuresAlarm = z.discriminatedUnion('kind', [
  /** It runs and is paid for, and no GPU has been in use since (ms since the epoch). */
  z.object({ kind: z.literal('gpuIdle'), since: z.number() }),
  z.object({ kind: z.literal('diskFull'), path: z.string(), percent }),
  z.object({ kind: z.literal('gpuMemoryFull'), gpu: z.number().int(), percent }),
  z.object({ kind: z.literal('gpuHot'), gpu: z.number().int(), celsius: z.number() }),
  /** `null`: the tool that lists them fails. */
  z.object({ kind: z.literal('gpuGone'), missing: z.number().int().nullable(), of: z.number().int() }),
])
export type FiguresAlarm = z.infer<typeof figuresAlarm>
export type FiguresAlarmKind = FiguresAlarm['kind']

/** What figures of the instances warn of now. */
export const figuresAlarms = z
  .array(
    z.object({
      instanceId: z.number().int(),
      alarms: z.array(figuresAlarm).readonly(),
      /** What isn't over, also where it doesn't show for a while, such as during a stop. */
      lasting: z.array(z.enum(['gpuIdle', 'diskFull', 'gpuMemoryFull', 'gpuHot', 'gpuGone'])).readonly(),
    }),
  )
  .readonly()
export type FiguresAlarms = z.infer<typeof figuresAlarms>

/** An alarm in a few words, and how far it has come, which changes while it lasts; without the instance's name. */
export interface AlarmWords {
  readonly title: string
  readonly extent: string | null
}

/**
 * @param perHourUsd what the instance costs; `null` when that isn't known
 * @param now ms since the epoch
 */
export function alarmWords(alarm: FiguresAlarm, perHourUsd: number | null, now: number): AlarmWords {
  switch (alarm.kind) {
    case 'gpuIdle': {
      const price = perHourUsd === null ? 'price unknown' : formatUsdPerHour(perHourUsd)
      return { title: 'GPU idle', extent: `for ${durationText(now - alarm.since)}, ${price}` }
    }
    case 'diskFull':
      return { title: `Disk ${alarm.path} nearly full`, extent: `at ${numberText(alarm.percent)}%` }
    case 'gpuMemoryFull':
      return { title: `Memory of GPU ${alarm.gpu} full`, extent: `at ${numberText(alarm.percent)}%` }
    case 'gpuHot':
      return { title: `GPU ${alarm.gpu} hot`, extent: `at ${numberText(alarm.celsius)} °C` }
    case 'gpuGone':
      return alarm.missing === null
        ? { title: 'GPUs can’t be read', extent: null }
        : { title: `${alarm.missing} of ${alarm.of} GPUs missing`, extent: null }
    default:
      return assertNever(alarm)
  }
}

/** The same as one line: `GPU idle for 20 min, $1.77/h`. */
export function alarmLine(...about: Parameters<typeof alarmWords>): string {
  const { title, extent } = alarmWords(...about)
  return extent === null ? title : `${title} ${extent}`
}

/** What an alarm means, and what can be done. */
export function alarmMeaning({ kind }: FiguresAlarm): string {
  switch (kind) {
    case 'gpuIdle':
      return 'You’re charged while it runs. Stop the instance, or add an auto-stop rule for when it’s idle.'
    case 'diskFull':
      return 'Programs on the instance can’t write to a full disk. Delete files there, or download them first.'
    case 'gpuMemoryFull':
      return 'Programs may run out of GPU memory. If your program reserves all of it, that’s expected.'
    case 'gpuHot':
      return 'Most GPUs slow down at this temperature, at the same price. If it stays, rent another machine.'
    case 'gpuGone':
      return 'You’re still charged for all GPUs. Restart your program, or destroy the instance and rent another machine.'
    default:
      return assertNever(kind)
  }
}

/** By which an alarm is dismissed: the next one of its kind and instance has the same, once this one is over. */
export function alarmKey(instanceId: number, { kind }: Pick<FiguresAlarm, 'kind'>): string {
  return `${instanceId}-${kind}`
}

/** One kind of alarm of several instances. @param count above 1 */
export function manyAlarmsText(
  kind: FiguresAlarmKind,
  count: number,
): { readonly title: string; readonly text: string } {
  const text =
    kind === 'gpuIdle'
      ? 'You’re charged while they run. Stop them, or add auto-stop rules for when they’re idle.'
      : 'The list of instances shows which.'
  return { title: `${formatDecimals(count, 0)} instances: ${kindTitles[kind]}`, text }
}

const kindTitles: Readonly<Record<FiguresAlarmKind, string>> = {
  gpuIdle: 'GPU idle',
  diskFull: 'disk nearly full',
  gpuMemoryFull: 'GPU memory full',
  gpuHot: 'GPU hot',
  gpuGone: 'GPU missing or unreadable',
}

function numberText(value: number): string {
  // Below the whole number above: what isn't full isn't told as 100%.
  return formatDecimals(Math.floor(value), 0)
}

const hourMs = 3_600_000

function durationText(ms: number): string {
  if (ms < 2 * hourMs) return `${numberText(Math.max(1, ms / 60_000))} min`
  return `${numberText(ms / hourMs)} h`
}
