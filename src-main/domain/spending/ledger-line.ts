import { z } from 'zod'

export const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A month in UTC: `2026-11`. The ledger's hours, days, and months are in UTC: no daylight saving moves them. */
export const ledgerMonth = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)

/** A time in UTC, as a person reads it and `jq` compares it. */
const utcTime = z.iso.datetime({ precision: 3 })
const utcHour = z.iso.datetime({ precision: -1 }).regex(/:00Z$/)
const seconds = z.number().min(0)

const instance = {
  instanceId: z.number().int(),
  /** What the user, or else the service, called it then. */
  label: z.string().nullable(),
  /** Such as `2 × RTX 4090`. */
  model: z.string().nullable(),
}

/** What an instance cost in an hour, as far as Slipway saw it. */
export const hourLine = z.object({
  kind: z.literal('hour'),
  hour: utcHour,
  /** When Slipway began this count: a clock that is set back begins a second one of the same hour, which counts, too. */
  since: utcTime,
  ...instance,
  runningSeconds: seconds,
  /** Stopped or dead, when its disk alone is charged. */
  stoppedSeconds: seconds,
  /** Of both, how long the service named no price. It isn't in `usd`. */
  unpricedSeconds: seconds,
  /** Slipway's estimate, by the prices in the lists. */
  usd: seconds,
})
export type HourLine = z.infer<typeof hourLine>

/** Slipway got no list from one time to another, and knew of an instance before or afterwards. */
const gapLine = z.object({
  kind: z.literal('gap'),
  from: utcTime,
  until: utcTime,
  ...instance,
  /** What it cost if nothing changed meanwhile but what the lists before and after tell; it isn't counted. */
  usd: seconds.nullable(),
})
export type GapLine = z.infer<typeof gapLine>

/** How the account's credit changed in an hour, as the service told it. */
export const creditLine = z.object({
  kind: z.literal('credit'),
  hour: utcHour,
  since: utcTime,
  /** The last one. */
  usd: z.number(),
  fellUsd: seconds,
  roseUsd: seconds,
})
export type CreditLine = z.infer<typeof creditLine>

/** A line of the ledger. Of several with the same {@link keyOf}, the last counts. */
export const ledgerLine = z.discriminatedUnion('kind', [hourLine, gapLine, creditLine])
export type LedgerLine = z.infer<typeof ledgerLine>

function keyOf(line: LedgerLine): string {
  switch (line.kind) {
    case 'hour':
      return `hour ${line.hour} ${line.since} ${line.instanceId}`
    case 'gap':
      return `gap ${line.from} ${line.instanceId}`
    case 'credit':
      return `credit ${line.hour} ${line.since}`
  }
}

/** Those that count. */
export function countedLines(lines: readonly LedgerLine[]): readonly LedgerLine[] {
  return [...new Map(lines.map((line) => [keyOf(line), line])).values()]
}

/** When what the line tells of began, in ms. */
export function startOf(line: LedgerLine): number {
  return Date.parse(line.kind === 'gap' ? line.from : line.hour)
}

export function utcTimeOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** The hour of a time, in ms. */
export function hourStart(ms: number): number {
  return Math.floor(ms / hourMs) * hourMs
}

/** `2026-11-26T03:00Z`. */
export function hourOf(ms: number): string {
  return `${utcTimeOf(hourStart(ms)).slice(0, 16)}Z`
}

/** `2026-11-26`. */
export function dayOf(ms: number): string {
  return utcTimeOf(ms).slice(0, 10)
}

/** `2026-11`. */
export function monthOf(ms: number): string {
  return utcTimeOf(ms).slice(0, 7)
}

/** When the month after that of a time begins, in ms. */
export function nextMonthStart(ms: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** When the day after that of a time begins, in ms. */
export function nextDayStart(ms: number): number {
  return (Math.floor(ms / dayMs) + 1) * dayMs
}

/** The days of a month. */
export function daysOf(month: string): readonly string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const days = (nextMonthStart(first) - first) / dayMs
  return Array.from({ length: days }, (_, index) => dayOf(first + index * dayMs))
}
