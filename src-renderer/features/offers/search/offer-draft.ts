import { z } from 'zod'
import {
  draftOfFilters,
  filtersOfDraft,
  type FilterDraft,
  type FilterErrors,
} from '#domain/fields/filter-row.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'
import { isReservedName, offerQuery, type OfferQuery } from '#domain/offers/offer.ts'
import { formatNumber } from '#ui/format.ts'

export interface OrderRow {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** A search as it is being edited: what is typed stays typed, also while it makes no sense. */
export interface OfferDraft extends FilterDraft {
  readonly order: readonly OrderRow[]
  readonly type: string
  readonly limit: string
}

export interface DraftErrors extends FilterErrors {
  readonly type: string | null
  readonly limit: string | null
}

const longestList = offerQuery.shape.limit.maxValue ?? 10_000
const typedLimit = z.coerce.number().int().min(1).max(longestList)

/** The search that a draft asks for, or what is wrong with it. A row without a value is no condition. */
export function queryOfDraft(
  draft: OfferDraft,
): { readonly ok: true; readonly query: OfferQuery } | { readonly ok: false; readonly errors: DraftErrors } {
  const filters = filtersOfDraft(draft, offerFields)
  const limit = typedLimit.safeParse(draft.limit.trim() === '' ? '?' : draft.limit.trim())
  const type = offerQuery.shape.type.safeParse(draft.type.trim())
  const reserved = filters.ok ? Object.keys(filters.filters).find(isReservedName) : undefined
  if (filters.ok && limit.success && type.success && reserved === undefined)
    return {
      ok: true,
      query: {
        filters: filters.filters,
        order: draft.order
          .filter(({ field }) => field !== '')
          .map(({ field, direction }) => [field, direction]),
        type: type.data,
        limit: limit.data,
      },
    }
  const { rows, json } = filters.ok ? { rows: new Map<number, string>(), json: null } : filters.errors
  return {
    ok: false,
    errors: {
      rows,
      json: reserved === undefined ? json : `“${reserved}” isn’t a filter field.`,
      type: type.success ? null : 'Enter a type.',
      limit: limit.success ? null : `Enter a whole number from 1 to ${formatNumber(longestList)}.`,
    },
  }
}

export function draftOfQuery({ filters, order, type, limit }: OfferQuery): OfferDraft {
  return {
    ...draftOfFilters(filters, offerFields),
    order: order.map(([field, direction]) => ({ field, direction })),
    type,
    limit: String(limit),
  }
}

/** What nearly everybody asks for next; a row without a value is no condition, only a place to type. */
const usualRows = [
  { field: 'gpu_name', operator: 'eq' },
  { field: 'num_gpus', operator: 'eq' },
  { field: 'dph_total', operator: 'lte' },
] as const

/** The draft with empty rows for what is asked for most, where it has none yet. */
export function withUsualRows(draft: OfferDraft): OfferDraft {
  const named = new Set(draft.rows.map(({ field }) => field))
  const missing = usualRows.filter(({ field }) => !named.has(field))
  return { ...draft, rows: [...missing.map((row) => ({ ...row, values: [''] })), ...draft.rows] }
}
