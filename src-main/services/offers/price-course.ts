import { z } from 'zod'
import type { Log } from '../../domain/base/log.ts'
import { courseSteps, pricePoint, type CourseSpan, type PricePoint } from '../../domain/offers/offer-watch.ts'
import type { Journal } from '../storage/journal.ts'
import { medianOf } from './look.ts'

const hourMs = 3_600_000
const { day } = courseSteps
/** Looks of a day, of which there is one a minute at most, and an hour that isn't over. */
const mostLooks = 25 * 60
/** Hours of a year, and a day more. */
const mostHours = 366 * 24

/** A line of a price course: a look, or an hour (UTC) of looks. */
export const courseLine = pricePoint.extend({ kind: z.enum(['look', 'hour']) })
export type CourseLine = z.infer<typeof courseLine>

/** What is kept of a course at a time: the looks of a day, before them hours, at most as many as a year has; in the order of their times. */
export function thinned(lines: readonly CourseLine[], now: number): readonly CourseLine[] {
  const hours = new Map(lines.flatMap((one) => (one.kind === 'hour' ? [[one.at, one] as const] : [])))
  const looks = lines.filter(({ kind }) => kind === 'look')
  // An hour that is there already was made of the same looks, before a crash.
  for (const one of byStep(
    looks.filter((one) => isOld(one, now)),
    hourMs,
  ))
    if (!hours.has(one.at)) hours.set(one.at, { ...one, kind: 'hour' })
  return [
    // By their number alone: a clock that's wrong for a moment deletes nothing.
    ...inOrder([...hours.values()]).slice(-mostHours),
    ...inOrder(looks.filter((one) => !isOld(one, now))).slice(-mostLooks),
  ]
}

/** The points of a span, the oldest first. */
export function pointsOf(lines: readonly CourseLine[], span: CourseSpan, now: number): readonly PricePoint[] {
  const { spanMs, stepMs } = courseSteps[span]
  const points = lines
    .filter(({ kind, at }) => at > now - spanMs && (stepMs !== null || kind === 'look'))
    .map(({ kind: _, ...point }) => point)
  return stepMs === null ? points : byStep(points, stepMs)
}

/** One point for each step of time that has some: their lowest price, and the median of their medians. */
function byStep(points: readonly PricePoint[], stepMs: number): PricePoint[] {
  const steps = Map.groupBy(points, ({ at }) => startOf(at, stepMs))
  return [...steps].map(([at, all]) => {
    const lowest = all.map(({ lowestUsd }) => lowestUsd).filter((usd) => usd !== null)
    const medians = all.map(({ medianUsd }) => medianUsd).filter((usd) => usd !== null)
    return {
      at,
      offers: Math.round(medianOf(all.map(({ offers }) => offers)) ?? 0),
      lowestUsd: lowest.length === 0 ? null : Math.min(...lowest),
      medianUsd: medianOf(medians),
    }
  })
}

/** Of an hour that is over since a day. */
const isOld = ({ at }: PricePoint, now: number): boolean => startOf(at, hourMs) + hourMs <= now - day.spanMs

const startOf = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs

const inOrder = <T extends { readonly at: number }>(all: readonly T[]): readonly T[] =>
  all.toSorted((one, other) => one.at - other.at)

const keyOf = ({ kind, at }: CourseLine): string => `${kind} ${at}`

/** The lowest and the median price of one watched search over time, on the disk. */
export class PriceCourse {
  readonly #journal: Journal<CourseLine>
  readonly #log: Log
  #lines: Promise<readonly CourseLine[]> | null = null

  constructor({ journal, log }: { readonly journal: Journal<CourseLine>; readonly log: Log }) {
    this.#journal = journal
    this.#log = log
  }

  /** The newest point; `null` where there is none. */
  async last(): Promise<PricePoint | null> {
    const last = (await this.#read()).at(-1)
    return last === undefined ? null : pricePoint.parse(last)
  }

  async points(span: CourseSpan, now: number): Promise<readonly PricePoint[]> {
    return pointsOf(await this.#read(), span, now)
  }

  /** What can't be written is known until Slipway quits. */
  async add(point: PricePoint): Promise<void> {
    const before = await this.#read()
    const line = { ...point, kind: 'look' as const }
    const oldest = before.find(({ kind }) => kind === 'look')
    // Once an hour, when one has become old.
    const kept =
      oldest !== undefined && isOld(oldest, point.at)
        ? thinned([...before, line], point.at)
        : [...before, line]
    this.#lines = Promise.resolve(kept)
    const known = new Set(before)
    try {
      await this.#journal.append(...kept.filter((one) => !known.has(one)))
      if (kept.length <= before.length) {
        const keys = new Set(kept.map(keyOf))
        await this.#journal.compact((one) => keys.has(keyOf(one)))
      }
    } catch (error) {
      this.#log.error('A price of a watched search could not be written', error)
    }
  }

  /** Read when it's first needed: a start doesn't wait for it. */
  #read(): Promise<readonly CourseLine[]> {
    this.#lines ??= this.#journal.readAll().then(
      // In the file, an hour comes after the looks that it's made of.
      (lines) => inOrder(lines),
      (error: unknown) => {
        this.#log.error('The prices of a watched search could not be read', error)
        return []
      },
    )
    return this.#lines
  }
}
