import { z } from 'zod'

/** Anything that JSON can say. */
export const jsonValue = z.json()
export type JsonValue = z.infer<typeof jsonValue>

/** What a text says as JSON; `undefined` when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether two values are the same JSON, whatever the order of their names. Nothing is copied: it may be asked of texts of
 * megabytes with each letter that is typed.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item: unknown, at) => isSameJson(item, other[at]))
  }
  const values = new Map<string, unknown>(valuesOf(other))
  const own = valuesOf(one)
  return own.length === values.size && own.every(([name, value]) => isSameJson(value, values.get(name)))
}

/** What JSON would write: a name without a value is left out. */
function valuesOf(record: object): readonly (readonly [string, unknown])[] {
  return Object.entries(record).filter(([, value]) => value !== undefined)
}
