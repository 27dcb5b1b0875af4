import { z } from 'zod'

/** Anything that JSON can say. */
export const jsonValue = z.json()
export type JsonValue = z.infer<typeof jsonValue>

/** Whether two values are the same JSON, whatever the order of their names. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
