import { counted } from '#domain/base/plural.ts'
import {
  courseSteps,
  type CourseSpan,
  type OfferNews,
  type OfferWatchView,
  type PricePoint,
} from '#domain/offers/offer-watch.ts'
import { formatExact, formatSeconds, formatUsdPerHour } from '#ui/format.ts'

/** The sentences about watched searches; short labels stand in their components. */
export const watchText = {
  about:
    'While Slipway is open or in the tray, it searches at most once a minute, tells you about offers, and saves the course of their prices on this computer. Watching costs nothing.',
  tell: 'Leave empty to save prices only. You’re told once about each offer, and again if it was gone for 5 minutes or its price fell by 5%.',
  price: 'Enter a price above 0, such as 0.5.',
  waiting: 'when the service responds',
  stop: 'This deletes the saved prices, and turns auto-rent off.',
  none: 'No prices yet. The first search runs within a minute.',
} as const

/** One line about a watched search, in the list of saved searches. */
export function watchLine({ last, tellUsd }: OfferWatchView): string {
  return [
    'Watched',
    ...(tellUsd === null ? [] : [`tells at ${formatUsdPerHour(tellUsd)}`]),
    ...(last === null ? [] : [`lowest ${formatUsdPerHour(last.lowestUsd)}`]),
  ].join(' · ')
}

/** How many offers the last look had. */
export function foundText({ last, isCut }: Pick<OfferWatchView, 'last' | 'isCut'>): string {
  if (last === null) return '–'
  return isCut
    ? `cheapest ${counted(last.offers, 'offer')}, and the median is of these`
    : counted(last.offers, 'offer')
}

export function newsText(
  name: string,
  { offers, lowestUsd, tellUsd }: OfferNews,
): { title: string; text: string } {
  return {
    title: `${counted(offers, 'offer')} at or below ${formatUsdPerHour(tellUsd)}`,
    text: `Lowest price: ${formatUsdPerHour(lowestUsd)}. Search: ${name}.`,
  }
}

/** Between points that are farther apart, nothing was looked at; in ms. */
export function gapMsOf(span: CourseSpan): number {
  // A search has its turn once a minute, unless a look before took long.
  return (courseSteps[span].stepMs ?? 120_000) * 1.5
}

/** A row of a price course as a table: a point, or a time without any. */
export type CourseRow =
  | ({ readonly kind: 'point' } & PricePoint)
  | { readonly kind: 'gap'; readonly at: number; readonly until: number }

/** The newest first. */
export function rowsOf(points: readonly PricePoint[], span: CourseSpan): readonly CourseRow[] {
  const gapMs = gapMsOf(span)
  const stepMs = courseSteps[span].stepMs ?? 0
  return points
    .flatMap((point, index): CourseRow[] => {
      const before = points[index - 1]
      const row = { kind: 'point', ...point } as const
      return before !== undefined && point.at - before.at > gapMs
        ? [{ kind: 'gap', at: before.at + stepMs, until: point.at }, row]
        : [row]
    })
    .toReversed()
}

/** A time without looks. */
export function gapText({ at, until }: Extract<CourseRow, { kind: 'gap' }>): string {
  return `Not watched for ${formatSeconds((until - at) / 1000)}, until ${formatExact(until)}`
}

/** What a chart says to those who don't see it. */
export function courseText(points: readonly PricePoint[], span: CourseSpan): string {
  const lowest = points.map(({ lowestUsd }) => lowestUsd).filter((usd) => usd !== null)
  const medians = points.map(({ medianUsd }) => medianUsd).filter((usd) => usd !== null)
  const gaps = rowsOf(points, span).filter(({ kind }) => kind === 'gap').length
  const range = (values: readonly number[]): string =>
    values.length === 0
      ? 'unknown'
      : `${formatUsdPerHour(Math.min(...values))} to ${formatUsdPerHour(Math.max(...values))}`
  return `Lowest price ${range(lowest)}, median ${range(medians)}${gaps === 0 ? '' : `, with ${counted(gaps, 'gap')}`}`
}
