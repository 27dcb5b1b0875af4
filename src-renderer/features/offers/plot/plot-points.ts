import { moreIsBetter } from '#domain/better-value.ts'
import { fieldOf, knownNumber, type Field } from '#domain/field-format.ts'
import { computePerHourUsd } from '#domain/money.ts'
import { offerFields } from '#domain/offer-fields.ts'
import type { Offer } from '#domain/offer.ts'

/** An offer as a point: `x` in the unit in which the field is shown, `y` in $/h. */
export interface PlotPoint {
  readonly offer: Offer
  readonly x: number
  readonly y: number
}

/** A number of a record in the unit in which its field is shown; `null` when it is not known. */
function shownNumber(field: Field, offer: Offer): number | null {
  const value = knownNumber(fieldOf(offer, field.name))
  if (value === null) return null
  if (field.format.kind === 'number') return value * (field.format.scale ?? 1)
  // −1 where the service does not know.
  return field.format.kind === 'measure' && value < 0 ? null : value
}

/** The offers that have both a price and a number in this field. */
export function plotPoints(offers: readonly Offer[], field: Field): readonly PlotPoint[] {
  return offers.flatMap((offer) => {
    const [x, y] = [shownNumber(field, offer), computePerHourUsd(offer)]
    return x === null || y === null ? [] : [{ offer, x, y }]
  })
}

/** The fields of performance that one of the offers has as a number, the usual ones first. */
export function plottableFields(offers: readonly Offer[]): readonly Field[] {
  return moreIsBetter
    .map((name) => offerFields.field(name))
    .filter(({ format }) => format.kind === 'number' || format.kind === 'integer')
    .filter(({ name }) => offers.some((offer) => knownNumber(fieldOf(offer, name)) !== null))
}

export interface AxisRange {
  readonly min: number
  readonly max: number
  readonly isLog: boolean
}

/** From here on, equal steps would press most offers against the axis. */
const wideFrom = 20

/** Which values an axis spans, with some air at both ends; logarithmic when they differ by much. */
export function axisRange(values: readonly number[]): AxisRange {
  const [low, high] = [minOf(values), maxOf(values)]
  if (low > 0 && high / low >= wideFrom) return { min: low / 1.2, max: high * 1.2, isLog: true }
  const air = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1
  return { min: low >= 0 ? Math.max(0, low - air) : low - air, max: high + air, isLog: false }
}

/**
 * Round values between two others for a logarithmic axis: 1, 2 and 5 of each power of ten, or only the powers
 * when these would be too many.
 */
export function logTicks(min: number, max: number): readonly number[] {
  const powers = Array.from(
    { length: Math.ceil(Math.log10(max)) - Math.floor(Math.log10(min)) + 1 },
    (_, step) => step + Math.floor(Math.log10(min)),
  )
  const digits = powers.length > 6 ? ['1'] : ['1', '2', '5']
  return powers
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((value) => value >= min && value <= max)
}

// Spread into Math.min, ten thousand values and more could be too many arguments.
function minOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), values[0] ?? 0)
}
function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), values[0] ?? 0)
}
