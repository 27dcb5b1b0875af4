import type { DaySum, MonthSummary, SpendingSum } from '#domain/spending/month-summary.ts'
import { formatDecimals } from '#domain/base/format-locale.ts'
import { counted } from '#domain/base/plural.ts'
import { formatNumber, formatSpentUsd } from '#ui/format.ts'

export const spendingText = {
  place:
    'Slipway counts while it’s open or in the tray, by the prices in the list of instances. Days and months are in UTC.',
  empty:
    'While Slipway is open or in the tray, it adds up what your instances cost, hour by hour. Costs from before aren’t known.',
  budget:
    'At 80% and at 100% of the budget, Slipway notifies you and shows a banner, once each month. The budget stops nothing. To stop instances at an amount, set a cost limit on Instances.',
  budgetHint: 'Enter an amount above $0, such as 200.',
} as const

/** `November 2026`. */
export function monthText(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}

/** Money to the cent, as a bill has it: `$1,398.12`; what is not yet a cent as `< $0.01`. */
export function centsText(usd: number): string {
  return usd > 0 && usd < 0.01 ? formatSpentUsd(usd) : `$${formatDecimals(usd, 2, 2)}`
}

/** Hours with one decimal: `0.5`; less than that many as `< 0.1`. */
export function hoursText(seconds: number): string {
  return seconds > 0 && seconds < 360 ? `< ${formatNumber(0.1, 1)}` : formatNumber(seconds / 3600, 1)
}

/** What wasn't seen and hence not counted; `null` for nothing. */
export function gapText({ gapSeconds, gapUsd }: Pick<SpendingSum, 'gapSeconds' | 'gapUsd'>): string | null {
  if (gapSeconds === 0) return null
  const cost =
    gapUsd === 0 ? '' : ` By the lower of the prices before and after, it cost at least ${centsText(gapUsd)}.`
  return `Not counted: ${hoursText(gapSeconds)} h, when Slipway was closed, this computer slept, or the service didn’t answer.${cost}`
}

/** What had no price; `null` for nothing. */
export function unpricedText({ unpricedSeconds }: Pick<SpendingSum, 'unpricedSeconds'>): string | null {
  if (unpricedSeconds === 0) return null
  return `For ${hoursText(unpricedSeconds)} h, the service listed no price for an instance: its cost is unknown and isn’t in the sum.`
}

/** Instances whose records can't be read now; `null` for none. */
export function unreadableText(count: number): string | null {
  if (count === 0) return null
  return `Couldn’t read ${counted(count, 'instance')}. You may be charged for what isn’t in the sum. Instances shows the details.`
}

/** A day in a line, for its column in the chart. */
export function dayText({ day, usd, gapSeconds, gapUsd, fellUsd }: DaySum): string {
  const fell = fellUsd === 0 ? '' : `; credit fell by ${centsText(fellUsd)}`
  const gap =
    gapSeconds === 0
      ? ''
      : `; not counted: ${hoursText(gapSeconds)} h${gapUsd === 0 ? '' : `, at least ${centsText(gapUsd)}`}`
  return `${day}: ${centsText(usd)}${fell}${gap}`
}

/** The chart in a sentence, for who doesn't see it. */
export function chartText({ month, total, days }: MonthSummary): string {
  const highest = days.reduce((one, other) => (other.usd > one.usd ? other : one))
  return `Cost by day in ${monthText(month)}: ${centsText(total.usd)} in all, at most ${centsText(highest.usd)} on ${highest.day}. The table by day has the same figures.`
}

/** How what the credit fell by stands to what was counted, in sentences. */
export function creditText({ credit, total }: MonthSummary): readonly string[] {
  if (credit === null)
    return ['The credit hasn’t changed while Slipway was open, or your API key can’t read it.']
  const rose =
    credit.roseUsd === 0 ? '' : ` It also rose by ${centsText(credit.roseUsd)}, such as by a payment.`
  const difference = credit.fellUsd - total.usd
  const fell = `Credit fell by ${centsText(credit.fellUsd)}; Slipway counted ${centsText(total.usd)}.${rose}`
  if (Math.abs(difference) < 0.005) return [fell, 'Both are the same to the cent.']
  const gap =
    total.gapUsd > 0 && total.gapUsd <= difference
      ? ` At least ${centsText(total.gapUsd)} of it is for time that wasn’t counted.`
      : ''
  return [
    fell,
    `Difference: ${centsText(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'} than counted.${gap}`,
    'The count has no traffic and no volumes, and Slipway asks for the credit only every 5 minutes.',
  ]
}
