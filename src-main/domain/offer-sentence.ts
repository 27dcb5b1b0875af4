import { offerFields } from './offer-fields.ts'
import type { OfferQuery } from './offer.ts'

/** What a search means, in one sentence: `Verified · rentable · RTX 4090 · 1 GPU · cheapest first`. */
export function offerSentence({ filters, order }: OfferQuery): string {
  const parts = [
    filters.verified && (filters.verified.eq ? 'verified' : 'not verified'),
    filters.rentable && (filters.rentable.eq ? 'rentable' : 'not rentable'),
    filters.gpu_name?.eq.trim(),
    filters.num_gpus && count(filters.num_gpus.eq, 'GPU'),
    filters.direct_port_count &&
      filters.direct_port_count.gte > 0 &&
      `at least ${count(filters.direct_port_count.gte, 'port')}`,
  ].filter((part) => typeof part === 'string' && part !== '')
  const sentence = [...(parts.length === 0 ? ['any machine'] : parts), orderPhrase(order)].join(' · ')
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** The filters that keep results out, each with what would loosen it, for a search that found nothing. */
export function loosenings({ filters }: OfferQuery): readonly string[] {
  return [
    filters.gpu_name && `any model instead of ${filters.gpu_name.eq}`,
    filters.num_gpus && `any number of GPUs instead of ${filters.num_gpus.eq}`,
    filters.verified?.eq && 'machines that are not verified',
    filters.direct_port_count &&
      filters.direct_port_count.gte > 1 &&
      `fewer ports than ${filters.direct_port_count.gte}`,
    filters.rentable && !filters.rentable.eq && 'rentable machines',
  ].filter((hint) => typeof hint === 'string')
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
      return `${direction === 'desc' ? 'highest' : 'lowest'} ${offerFields.field(field).label} first`
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
