import { isUtf8 } from 'node:buffer'
import { badRequest } from './api-error.ts'

/** Nothing that the API describes is nested deeper than a few levels; what is, would exhaust the stack of others. */
const DEEPEST = 50

/** Reads a body that should be JSON, which is in UTF-8 (RFC 8259, 8.1); an empty one says nothing, as `{}` does. */
export function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('body: not UTF-8')
  return body.length === 0 ? {} : parseJson(body.toString())
}

/** Reads a JSON text; an empty one is no value at all. `part` names it in refusals. */
export function parseJson(text: string, part = 'body'): unknown {
  if (text === '') return undefined
  const value = parse(text, part)
  const repeated = repeatedName(text)
  if (repeated !== null) throw badRequest(`${part}: ${repeated} is there twice in one object`)
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

/** A name that is twice in one object, of whose values JSON.parse keeps only the last. `text` is valid JSON. */
function repeatedName(text: string): string | null {
  const namesOfOpen: Set<string>[] = []
  for (const [token, quoted, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g)) {
    if (token === '{') namesOfOpen.push(new Set())
    else if (token === '}') namesOfOpen.pop()
    else if (quoted !== undefined && colon !== undefined) {
      // The same name may be written with escapes and without.
      const name = JSON.stringify(JSON.parse(quoted))
      const names = namesOfOpen.at(-1)
      if (names?.has(name) === true) return name
      names?.add(name)
    }
  }
  return null
}

function childrenOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function hasPrototypeField(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')
}
