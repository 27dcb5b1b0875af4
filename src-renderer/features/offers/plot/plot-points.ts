import { moreIsBetter } from '#ui/compare/better-value.ts'
import { fieldOf, knownNumber, type Field } from '#domain/fields/field-format.ts'
import { computePerHourUsd } from '#domain/money/money.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'
import type { Offer } from '#domain/offers/offer.ts'
import { axisRange, type AxisRange } from './axis-range.ts'

/** An offer as a point: `x` in the unit in which the field is shown, `y` in $/h. */
export interface PlotPoint {
  readonly offer: Offer
  readonly x: number
  readonly y: number
}

/** What the two axes of some points span. */
export interface PlotAxes {
  readonly x: AxisRange
  readonly y: AxisRange
}

/** The offers that have both a price and a number in this field, neither of them absurd. */
export function plotPoints(offers: readonly Offer[], field: Field): readonly PlotPoint[] {
  return offers.flatMap((offer) => {
    const [x, y] = [shownNumber(field, offer), computePerHourUsd(offer)]
    return x === null || y === null || !fitsPlot(x) || !fitsPlot(y) ? [] : [{ offer, x, y }]
  })
}

export function plotAxes(points: readonly PlotPoint[]): PlotAxes {
  return { x: axisRange(points.map(({ x }) => x)), y: axisRange(points.map(({ y }) => y)) }
}

/** The fields of performance that one of the offers has as a number, the usual ones first. */
export function plottableFields(offers: readonly Offer[]): readonly Field[] {
  return moreIsBetter
    .map((name) => offerFields.field(name))
    .filter(({ format }) => ['number', 'count', 'integer'].includes(format.kind))
    .filter(({ name }) => offers.some((offer) => knownNumber(fieldOf(offer, name)) !== null))
}

/** A number of a record in the unit in which its field is shown; `null` when it is not known. */
function shownNumber(field: Field, offer: Offer): number | null {
  const value = knownNumber(fieldOf(offer, field.name))
  if (value === null) return null
  if (field.format.kind === 'number') return value * (field.format.scale ?? 1)
  // −1 where the service does not know.
  return field.format.kind === 'measure' && value < 0 ? null : value
}

/** The service may send anything: one price of 10³⁰⁸ would leave nothing to be seen of all the others. */
function fitsPlot(value: number): boolean {
  const size = Math.abs(value)
  return value === 0 || (size >= 1e-6 && size <= 1e9)
}
