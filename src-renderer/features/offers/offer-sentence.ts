import { knownNumber, visibleText } from '#domain/fields/field-format.ts'
import { filterPhrase, filterValueText, labelInSentence } from '#ui/filters/filter-phrase.ts'
import type { JsonValue } from '#domain/base/json-value.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'
import { onDemand, type OfferQuery } from '#domain/offers/offer.ts'
import { plural } from '#domain/base/plural.ts'

/** What a search means, in one sentence: `Verified · rentable · RTX 4090 · 1 GPU · cheapest first`. */
export function offerSentence({ filters, order, type }: OfferQuery): string {
  const parts = conditionsOf(filters).map(({ field, operator, value }) => phrase(field, operator, value))
  const pricing = type === onDemand ? [] : [`type ${visibleText(type)}`]
  const sentence = [...(parts.length === 0 ? ['any machine'] : parts), ...pricing, orderPhrase(order)].join(
    ' · ',
  )
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** One condition of a search, and the button that removes it. */
export interface Loosening {
  readonly field: string
  readonly operator: string
  readonly text: string
}

/** Every condition that keeps machines out, for a search that found nothing. */
export function loosenings({ filters }: OfferQuery): readonly Loosening[] {
  return conditionsOf(filters).map(({ field, operator, value }) => ({
    field,
    operator,
    text: `Remove “${phrase(field, operator, value)}”`,
  }))
}

interface Condition {
  readonly field: string
  readonly operator: string
  readonly value: JsonValue
}

function conditionsOf(filters: OfferQuery['filters']): readonly Condition[] {
  return Object.entries(filters).flatMap(([field, operators]) =>
    Object.entries(operators).map(([operator, value]) => ({ field, operator, value })),
  )
}

/** The commonest conditions as one says them; all others by their field's label. */
function phrase(name: string, operator: string, value: JsonValue): string {
  const field = offerFields.field(name)
  const text = filterValueText(field, value)
  switch (`${name} ${operator}`) {
    case 'gpu_name eq':
    case 'gpu_name in':
      return text.replaceAll(', ', ' or ')
    case 'num_gpus eq':
      return `${text} ${pluralOf(value, 'GPU')}`
    case 'num_gpus gte':
      return `at least ${text} ${pluralOf(value, 'GPU')}`
    case 'direct_port_count gte':
      return `at least ${text} ${pluralOf(value, 'port')}`
    default:
      return filterPhrase(field, operator, value)
  }
}

function orderPhrase(order: OfferQuery['order']): string {
  if (order.length === 0) return 'in the service’s own order'
  return order.map(orderPart).join(', then ')
}

function orderPart([field, direction]: OfferQuery['order'][number]): string {
  switch (`${field} ${direction}`) {
    case 'dlperf_per_dphtotal desc':
      return 'cheapest per performance first'
    case 'dph_total asc':
      return 'cheapest first'
    case 'dph_total desc':
      return 'most expensive first'
    default:
      return `${direction === 'desc' ? 'highest' : 'lowest'} ${labelInSentence(offerFields.field(field))} first`
  }
}

function pluralOf(value: JsonValue, what: string): string {
  return plural(knownNumber(value) ?? 0, what)
}
