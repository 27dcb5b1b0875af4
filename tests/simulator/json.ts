import { badRequest } from './api-error.ts'

/** Nothing that the API describes is nested deeper than a few levels; what is, would exhaust the stack of others. */
const DEEPEST = 50

/** Reads a JSON text; an empty one is no value at all. `part` names it in refusals. */
export function parseJson(text: string, part = 'body'): unknown {
  if (text === '') return undefined
  const value = parse(text, part)
  for (let level = [value], depth = 0; level.length > 0; level = level.flatMap(childrenOf), depth += 1) {
    if (depth > DEEPEST) throw badRequest(`${part}: nested deeper than ${String(DEEPEST)} levels`)
    // Objects could not tell it from what they are made of, and would lose it silently.
    if (level.some(hasPrototypeField)) throw badRequest(`${part}: Unrecognized key: "__proto__"`)
  }
  return value
}

function parse(text: string, part: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badRequest(`${part}: not valid JSON (${error instanceof Error ? error.message : String(error)})`)
  }
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function hasPrototypeField(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')
}
