import { z } from 'zod'

const bulks = new WeakSet<object>()

/** oRPC keeps the lower numbers for itself. */
const bulkType = 21

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
  type: bulkType,
  condition: (value: unknown): boolean => typeof value === 'object' && value !== null && bulks.has(value),
  serialize: (list: unknown): string => JSON.stringify(list),
  deserialize: (text: unknown): unknown => JSON.parse(z.string().parse(text)),
}

/** A value of an event iterator as oRPC serializes it: `meta` says where in it custom types are. */
const iteratorEvent = z.object({ data: z.object({ meta: z.array(z.array(z.unknown())) }) })

/**
 * For main's `experimental_transfer`, by which oRPC posts a message as an object: with a bulk in it, so that its text
 * isn't escaped into another one and read out of that again. Nothing is transferred.
 */
export function bulkTransfer([, , payload]: readonly [id: string, type: unknown, payload: unknown]):
  [] | null {
  const event = iteratorEvent.safeParse(payload)
  return event.data?.data.meta.some(([type]) => type === bulkType) ? [] : null
}
