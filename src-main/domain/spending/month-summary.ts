import { z } from 'zod'
import {
  countedLines,
  daysOf,
  dayOf,
  ledgerMonth,
  nextDayStart,
  startOf,
  type CreditLine,
  type GapLine,
  type HourLine,
  type LedgerLine,
} from './ledger-line.ts'

const sum = z.object({
  usd: z.number(),
  runningSeconds: z.number(),
  stoppedSeconds: z.number(),
  unpricedSeconds: z.number(),
  /** Not seen, hence not counted. */
  gapSeconds: z.number(),
  /** What that may have cost, as far as it's known. */
  gapUsd: z.number(),
})
export type SpendingSum = z.infer<typeof sum>

const daySum = z.object({
  day: z.string(),
  usd: z.number(),
  /** How long of the day Slipway saw nothing, of whichever instance. */
  gapSeconds: z.number(),
  gapUsd: z.number(),
  /** What the credit was seen to fall by. */
  fellUsd: z.number(),
})
export type DaySum = z.infer<typeof daySum>

const instanceSum = sum.extend({
  instanceId: z.number().int(),
  /** Of its last line. */
  label: z.string().nullable(),
  model: z.string().nullable(),
})
const namedSum = sum.extend({ name: z.string().nullable() })
export type NamedSum = z.infer<typeof namedSum>

/** What a month cost, in the groups that one looks for; the most expensive first. */
export const monthSummary = z.object({
  month: ledgerMonth,
  total: sum,
  days: z.array(daySum).readonly(),
  instances: z.array(instanceSum).readonly(),
  labels: z.array(namedSum).readonly(),
  models: z.array(namedSum).readonly(),
  /** What was seen of the credit; `null` when it didn't change, or isn't known. */
  credit: z.object({ fellUsd: z.number(), roseUsd: z.number(), lastUsd: z.number() }).nullable(),
})
export type MonthSummary = z.infer<typeof monthSummary>

export function summaryOf(month: string, lines: readonly LedgerLine[]): MonthSummary {
  const counted = countedLines(lines)
  const costs = counted.filter((line) => line.kind !== 'credit')
  const gapSecondsOf = secondsByDay(costs.filter((line) => line.kind === 'gap'))
  const total = { ...sumOf(costs), gapSeconds: [...gapSecondsOf.values()].reduce((all, one) => all + one, 0) }
  const usdOf = usdByDay(costs)
  const credits = counted.filter((line) => line.kind === 'credit')
  const creditsOf = Map.groupBy(credits, (line) => dayOf(startOf(line)))
  return {
    month,
    total,
    days: daysOf(month).map((day) => ({
      day,
      gapSeconds: gapSecondsOf.get(day) ?? 0,
      ...(usdOf.get(day) ?? { usd: 0, gapUsd: 0 }),
      fellUsd: creditOf(creditsOf.get(day) ?? [])?.fellUsd ?? 0,
    })),
    instances: byCost(
      [...Map.groupBy(costs, ({ instanceId }) => instanceId)].map(([instanceId, own]) => {
        const { label = null, model = null } = latestOf(own) ?? {}
        return { instanceId, label, model, ...sumOf(own) }
      }),
    ),
    labels: byName(costs, ({ label }) => label),
    models: byName(costs, ({ model }) => model),
    credit: creditOf(credits),
  }
}

/** What was counted, in dollars. */
export function usdOf(lines: readonly LedgerLine[]): number {
  return countedLines(lines).reduce((usd, line) => usd + (line.kind === 'hour' ? line.usd : 0), 0)
}

type CostLine = HourLine | GapLine

function sumOf(lines: readonly CostLine[]): SpendingSum {
  const total = {
    ...{ usd: 0, runningSeconds: 0, stoppedSeconds: 0, unpricedSeconds: 0 },
    ...{ gapSeconds: 0, gapUsd: 0 },
  }
  for (const line of lines)
    if (line.kind === 'gap') {
      total.gapSeconds += (Date.parse(line.until) - Date.parse(line.from)) / 1000
      total.gapUsd += line.usd ?? 0
    } else {
      total.usd += line.usd
      total.runningSeconds += line.runningSeconds
      total.stoppedSeconds += line.stoppedSeconds
      total.unpricedSeconds += line.unpricedSeconds
    }
  return total
}

function byCost<T extends SpendingSum>(sums: readonly T[]): readonly T[] {
  return sums.toSorted((one, other) => other.usd - one.usd || other.gapUsd - one.gapUsd)
}

function byName(
  lines: readonly CostLine[],
  nameOf: (line: CostLine) => string | null,
): MonthSummary['labels'] {
  return byCost([...Map.groupBy(lines, nameOf)].map(([name, own]) => ({ name, ...sumOf(own) })))
}

function latestOf(lines: readonly CostLine[]): CostLine | undefined {
  return lines.reduce<CostLine | undefined>(
    (latest, line) => (latest === undefined || startOf(line) >= startOf(latest) ? line : latest),
    undefined,
  )
}

function creditOf(lines: readonly CreditLine[]): MonthSummary['credit'] {
  const last = lines.toSorted((one, other) => startOf(one) - startOf(other)).at(-1)
  if (last === undefined) return null
  return {
    fellUsd: lines.reduce((usd, line) => usd + line.fellUsd, 0),
    roseUsd: lines.reduce((usd, line) => usd + line.roseUsd, 0),
    lastUsd: last.usd,
  }
}

interface Span {
  readonly from: number
  readonly until: number
}

/** A span in parts that lie in one day each. */
function splitByDay({ from, until }: Span): readonly (Span & { readonly day: string })[] {
  const parts = []
  for (let start = from; start < until; start = nextDayStart(start))
    parts.push({ day: dayOf(start), from: start, until: Math.min(until, nextDayStart(start)) })
  return parts
}

function usdByDay(
  lines: readonly CostLine[],
): ReadonlyMap<string, { readonly usd: number; readonly gapUsd: number }> {
  const days = new Map<string, { usd: number; gapUsd: number }>()
  const sumOfDay = (day: string): { usd: number; gapUsd: number } => {
    const known = days.get(day) ?? { usd: 0, gapUsd: 0 }
    days.set(day, known)
    return known
  }
  for (const line of lines)
    if (line.kind === 'hour') sumOfDay(dayOf(startOf(line))).usd += line.usd
    else {
      const whole = spanOf(line)
      for (const { day, from, until } of splitByDay(whole))
        sumOfDay(day).gapUsd += ((line.usd ?? 0) * (until - from)) / (whole.until - whole.from)
    }
  return days
}

/** How long of each day lies in a gap: gaps of several instances at once are one. */
function secondsByDay(gaps: readonly GapLine[]): ReadonlyMap<string, number> {
  const days = new Map<string, number>()
  let seenUntil = Number.NEGATIVE_INFINITY
  for (const { from, until } of gaps.map(spanOf).toSorted((one, other) => one.from - other.from)) {
    for (const part of splitByDay({ from: Math.max(from, seenUntil), until }))
      days.set(part.day, (days.get(part.day) ?? 0) + (part.until - part.from) / 1000)
    seenUntil = Math.max(seenUntil, until)
  }
  return days
}

function spanOf(gap: GapLine): Span {
  return { from: Date.parse(gap.from), until: Date.parse(gap.until) }
}
