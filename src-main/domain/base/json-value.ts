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
 * How many levels a JSON text has, and how many values at most, before anything is made of it; what is in its strings
 * doesn't count.
 */
export function measureJson(text: string): { readonly depth: number; readonly values: number } {
  let level = 0
  let depth = 0
  let values = 1
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isInString = !isInString
    else if (isInString) at += character === '\\' ? 1 : 0
    else if (character === ',') values += 1
    else if (character === '[' || character === '{') {
      depth = Math.max(depth, (level += 1))
      values += 1
    } else if (character === ']' || character === '}') level -= 1
  }
  return { depth, values }
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
