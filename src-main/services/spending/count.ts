import { z } from 'zod'
import type { WatchedInstance } from '../../domain/instances/instance.ts'
import { areDifferent, identityOf, instanceIdentity } from '../../domain/instances/instance-identity.ts'
import { modelOf } from '../../domain/instances/instance-label.ts'
import { chargeOf } from '../../domain/money/money.ts'
import {
  creditLine,
  hourLine,
  hourMs,
  hourOf,
  hourStart,
  ledgerLine,
  nextMonthStart,
  utcTimeOf,
  type CreditLine,
  type HourLine,
} from '../../domain/spending/ledger-line.ts'

/** An instance as a list showed it, with what is charged for it. */
const sighting = z.object({
  instanceId: z.number().int(),
  identity: instanceIdentity,
  label: z.string().nullable(),
  model: z.string().nullable(),
  isRunning: z.boolean(),
  perHourUsd: z.number().nullable(),
})
export type Sighting = z.infer<typeof sighting>

/** What is counted and not in the ledger yet. */
export const openBook = z.object({
  /** When the last list came, ms since the epoch; `null` before the first one. */
  seenAt: z.number().nullable(),
  /** What it showed. */
  sightings: z.array(sighting).readonly(),
  /** As the service told it last. */
  creditUsd: z.number().nullable(),
  /** Lines of the hour that goes on. */
  open: z.array(z.discriminatedUnion('kind', [hourLine, creditLine])).readonly(),
  /** Lines that go into the ledger next. */
  closed: z.array(ledgerLine).readonly(),
})
export type OpenBook = z.infer<typeof openBook>

export const emptyBook: OpenBook = { seenAt: null, sightings: [], creditUsd: null, open: [], closed: [] }

/** What a list shows at `at` (ms). */
export interface Look {
  readonly at: number
  readonly sightings: readonly Sighting[]
  readonly creditUsd: number | null
}

/**
 * After a longer time without a list, Slipway was closed, this computer slept, or the service didn't answer. One list that
 * fails between two at the longest pause of 5 minutes is no gap.
 */
const gapMs = 15 * 60_000
/** A clock that jumps by years makes no gap of years. */
const longestGapMs = 400 * 24 * hourMs

/** No instance costs more: a price above that is a fault, which must not stay in the ledger. */
const mostPerHourUsd = 100_000

export function sightingOf(instance: WatchedInstance, label: string | null): Sighting {
  const { id, record } = instance
  const { kind, perHourUsd } = chargeOf(instance)
  const isRunning = kind === 'compute'
  return {
    instanceId: id,
    identity: identityOf(record),
    label,
    model: modelOf(record),
    isRunning,
    perHourUsd: perHourUsd !== null && perHourUsd <= mostPerHourUsd ? perHourUsd : null,
  }
}

/**
 * The book counted on to a new list. From one list to the next, each instance costs what the former list said; one that
 * is new, from its start on. Over a longer time nothing is counted: it's told as a gap. So is a clock that was set back,
 * silently: the time until then was counted.
 */
export function countOn(book: OpenBook, look: Look): OpenBook {
  const { seenAt } = book
  let counted = book
  if (seenAt !== null && look.at > seenAt)
    counted = look.at - seenAt > gapMs ? withGap(book, seenAt, look) : withTime(book, seenAt, look)
  counted = atHour(counted, hourOf(look.at))
  return {
    ...withCredit(counted, look),
    seenAt: look.at,
    sightings: look.sightings,
    creditUsd: look.creditUsd ?? book.creditUsd,
  }
}

/** Closes the hour that was open, unless it's this one. */
function atHour(book: OpenBook, hour: string): OpenBook {
  if (book.open.every((line) => line.hour === hour)) return book
  return { ...book, open: [], closed: [...book.closed, ...book.open.map(rounded)] }
}

interface Stretch {
  readonly sighting: Sighting
  readonly from: number
}

function withTime(book: OpenBook, seenAt: number, { at, sightings }: Look): OpenBook {
  const isNew = notAmong(book.sightings)
  const stretches: readonly Stretch[] = [
    ...book.sightings.map((one) => ({ sighting: one, from: seenAt })),
    ...sightings.filter(isNew).map((one) => ({ sighting: one, from: startWithin(one, seenAt, at) })),
  ]
  let counted = book
  for (let start = seenAt; start < at; start = hourStart(start) + hourMs) {
    const end = Math.min(at, hourStart(start) + hourMs)
    counted = atHour(counted, hourOf(start))
    const lines = new Map(
      counted.open.flatMap((line) => (line.kind === 'hour' ? [[line.instanceId, line]] : [])),
    )
    for (const { sighting: one, from } of stretches) {
      const seconds = (end - Math.max(start, from)) / 1000
      if (seconds <= 0) continue
      const began = { hour: hourOf(start), since: utcTimeOf(at) }
      lines.set(one.instanceId, withSeconds(lines.get(one.instanceId) ?? began, one, seconds))
    }
    counted = {
      ...counted,
      open: [...lines.values(), ...counted.open.filter(({ kind }) => kind === 'credit')],
    }
  }
  return counted
}

/** @param before what was counted of the instance in this hour */
function withSeconds(
  before: HourLine | Pick<HourLine, 'hour' | 'since'>,
  { instanceId, label, model, isRunning, perHourUsd }: Sighting,
  seconds: number,
): HourLine {
  const counted = { runningSeconds: 0, stoppedSeconds: 0, unpricedSeconds: 0, usd: 0, ...before }
  return {
    kind: 'hour',
    ...{ hour: before.hour, since: before.since, instanceId, label, model },
    runningSeconds: counted.runningSeconds + (isRunning ? seconds : 0),
    stoppedSeconds: counted.stoppedSeconds + (isRunning ? 0 : seconds),
    unpricedSeconds: counted.unpricedSeconds + (perHourUsd === null ? seconds : 0),
    usd: counted.usd + ((perHourUsd ?? 0) * seconds) / 3600,
  }
}

function withGap(book: OpenBook, seenAt: number, { at, sightings }: Look): OpenBook {
  const after = new Map(sightings.map((one) => [one.instanceId, one]))
  const begin = Math.max(seenAt, at - longestGapMs)
  const known = book.sightings.map((one) => {
    const later = after.get(one.instanceId)
    const isSame = later !== undefined && !areDifferent(one.identity, later.identity)
    const rates = isSame ? [one.perHourUsd, later.perHourUsd] : [null]
    return { sighting: one, from: begin, rates }
  })
  const added = sightings
    .filter(notAmong(book.sightings))
    .map((one) => ({ sighting: one, from: startWithin(one, begin, at), rates: [one.perHourUsd] }))
  const lines = [...known, ...added].flatMap(({ sighting: { instanceId, label, model }, from, rates }) => {
    const named = rates.filter((rate) => rate !== null)
    // What ran before and is stopped now was stopped meanwhile: it cost no less than its disk.
    const rate = named.length === rates.length ? Math.min(...named) : null
    return monthsOf(from, at).map(({ start, end }) => ({
      kind: 'gap' as const,
      ...{ from: utcTimeOf(start), until: utcTimeOf(end), instanceId, label, model },
      usd: rate === null ? null : roundedTo6((rate * (end - start)) / hourMs),
    }))
  })
  return { ...book, closed: [...book.closed, ...lines] }
}

/** A time in parts of one month each: each month has its file. */
function monthsOf(from: number, until: number): readonly { readonly start: number; readonly end: number }[] {
  const parts = []
  for (let start = from; start < until; start = nextMonthStart(start))
    parts.push({ start, end: Math.min(until, nextMonthStart(start)) })
  return parts
}

function withCredit(book: OpenBook, { at, creditUsd }: Look): OpenBook {
  const change = creditUsd === null || book.creditUsd === null ? 0 : creditUsd - book.creditUsd
  if (creditUsd === null || change === 0) return book
  const before = book.open.find((line) => line.kind === 'credit')
  const line: CreditLine = {
    kind: 'credit',
    hour: hourOf(at),
    since: before?.since ?? utcTimeOf(at),
    usd: creditUsd,
    fellUsd: (before?.fellUsd ?? 0) + Math.max(0, -change),
    roseUsd: (before?.roseUsd ?? 0) + Math.max(0, change),
  }
  return { ...book, open: [...book.open.filter(({ kind }) => kind !== 'credit'), line] }
}

/** Tells which instances were not there before; another one may have the id of one that has gone. */
function notAmong(before: readonly Sighting[]): (seen: Sighting) => boolean {
  const known = new Map(before.map(({ instanceId, identity }) => [instanceId, identity]))
  return ({ instanceId, identity }) => {
    const former = known.get(instanceId)
    return former === undefined || areDifferent(former, identity)
  }
}

/** When a new instance began, as far as it tells. */
function startWithin({ identity: { startedAt } }: Sighting, from: number, until: number): number {
  return Math.min(until, Math.max(from, startedAt ?? until))
}

/** As a line is kept: without the digits that adding makes up. */
function rounded(line: HourLine | CreditLine): HourLine | CreditLine {
  if (line.kind === 'credit')
    return { ...line, fellUsd: roundedTo6(line.fellUsd), roseUsd: roundedTo6(line.roseUsd) }
  return {
    ...line,
    runningSeconds: roundedTo6(line.runningSeconds),
    stoppedSeconds: roundedTo6(line.stoppedSeconds),
    unpricedSeconds: roundedTo6(line.unpricedSeconds),
    usd: roundedTo6(line.usd),
  }
}

/** To a millionth of a dollar, or of a second. */
function roundedTo6(amount: number): number {
  return Math.round(amount * 1e6) / 1e6
}
