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

/**
 * For main's `experimental_transfer`, by which oRPC posts a message as an object: with a bulk in it, so that its text
 * isn't escaped into another one and read out of that again. Nothing is transferred.
 *
 * @param message as oRPC serializes a value of an event iterator: `meta` says where in it custom types are
 */
export function bulkTransfer([, , payload]: readonly [id: string, type: unknown, payload: unknown]):
  [] | null {
  const types: unknown = memberOf(memberOf(payload, 'data'), 'meta')
  return Array.isArray(types) && types.some((one) => memberOf(one, '0') === bulkType) ? [] : null
}

// Each message comes by here, so zod would be felt.
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
