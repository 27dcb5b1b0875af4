import { z } from 'zod'
import { offerQuery, type OfferQuery } from './offer.ts'

/** A search as it is being edited: what is typed stays typed, also while it is no number. */
export interface OfferDraft {
  readonly verified: boolean
  readonly rentable: boolean
  readonly model: string
  /** Empty: any number. */
  readonly gpus: string
  /** Empty: no condition. */
  readonly ports: string
  readonly order: readonly { readonly field: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: string
}

export type DraftErrors = Partial<Record<'gpus' | 'ports' | 'limit', string>>

/** The search that a draft asks for, or what is wrong with it. A switch that is off is no condition. */
export function queryOfDraft(
  draft: OfferDraft,
): { readonly ok: true; readonly query: OfferQuery } | { readonly ok: false; readonly errors: DraftErrors } {
  const gpus = wholeNumber(draft.gpus, 1)
  const ports = wholeNumber(draft.ports, 0)
  const limit = wholeNumber(draft.limit.trim() === '' ? '?' : draft.limit, 1, longestList)
  if (!gpus.ok || !ports.ok || !limit.ok || limit.value === null)
    return {
      ok: false,
      errors: {
        ...(!gpus.ok && { gpus: 'A whole number from 1, or nothing.' }),
        ...(!ports.ok && { ports: 'A whole number from 0, or nothing.' }),
        ...(!limit.ok && { limit: `A whole number from 1 to ${longestList}.` }),
      },
    }
  const model = draft.model.trim()
  return {
    ok: true,
    query: {
      filters: {
        ...(draft.verified && { verified: { eq: true } }),
        ...(draft.rentable && { rentable: { eq: true } }),
        ...(model !== '' && { gpu_name: { eq: model } }),
        ...(gpus.value !== null && { num_gpus: { eq: gpus.value } }),
        ...(ports.value !== null && { direct_port_count: { gte: ports.value } }),
      },
      order: draft.order.map(({ field, direction }) => [field, direction]),
      type: 'on-demand',
      limit: limit.value,
    },
  }
}

export function draftOfQuery({ filters, order, limit }: OfferQuery): OfferDraft {
  return {
    verified: filters.verified?.eq ?? false,
    rentable: filters.rentable?.eq ?? false,
    model: filters.gpu_name?.eq ?? '',
    gpus: String(filters.num_gpus?.eq ?? ''),
    ports: String(filters.direct_port_count?.gte ?? ''),
    order: order.map(([field, direction]) => ({ field, direction })),
    limit: String(limit),
  }
}

const longestList = offerQuery.shape.limit.maxValue ?? 10_000

function wholeNumber(
  typed: string,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): { readonly ok: true; readonly value: number | null } | { readonly ok: false } {
  if (typed.trim() === '') return { ok: true, value: null }
  const parsed = z.coerce.number().int().min(min).max(max).safeParse(typed.trim())
  return parsed.success ? { ok: true, value: parsed.data } : { ok: false }
}
