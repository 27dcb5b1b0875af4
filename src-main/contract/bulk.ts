import { z } from 'zod'

const bulks = new WeakSet<object>()

/**
 * A long list of plain JSON that main has parsed itself. It crosses as one text: other values are looked at twice
 * on their way, to be checked and to be searched for dates, sets and the like, and with 10,000 offers that takes
 * longer than all the rest.
 */
export function bulk<T>() {
  return z.custom<readonly T[]>(Array.isArray).transform((list) => {
    bulks.add(list)
    return list
  })
}

/** How lists declared with {@link bulk} cross; both ends of a port need it. */
export const bulkSerializer = {
  /** oRPC keeps the lower numbers for itself. */
  type: 21,
  condition: (value: unknown): boolean => typeof value === 'object' && value !== null && bulks.has(value),
  serialize: (list: unknown): string => JSON.stringify(list),
  deserialize: (text: unknown): unknown => JSON.parse(z.string().parse(text)),
}
