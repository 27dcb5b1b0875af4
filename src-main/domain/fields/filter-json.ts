import type { z } from 'zod'
import { filters as filtersShape, type Filters } from './filter.ts'

/** Conditions typed as JSON, or why they cannot be used. An empty text is none. */
export function filtersFromJson(
  text: string,
): { readonly ok: true; readonly filters: Filters } | { readonly ok: false; readonly why: string } {
  if (text.trim() === '') return { ok: true, filters: {} }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      ok: false,
      why: `This is not JSON: ${error instanceof Error ? error.message : 'it ends too early'}.`,
    }
  }
  const parsed = filtersShape.safeParse(value)
  if (!parsed.success) return { ok: false, why: shapeProblem(parsed.error) }
  // zod leaves such a name out, and nothing is left out in silence.
  if (/"__proto__"\s*:/.test(text)) return { ok: false, why: '“__proto__” cannot be the name of a field.' }
  const empty = Object.entries(parsed.data).find(([, operators]) => Object.keys(operators).length === 0)
  if (empty) return { ok: false, why: `“${empty[0]}” needs an operator and a value, such as {"eq": 1}.` }
  return { ok: true, filters: parsed.data }
}

function shapeProblem({ issues }: z.ZodError): string {
  const path = issues[0]?.path.map(String) ?? []
  const where = path.length === 0 ? 'It' : `“${path.join('.')}”`
  return path.length <= 1
    ? `${where} must be an object, such as {${path.length === 0 ? '"field": {"gte": 1}' : '"gte": 1'}}.`
    : `${where} cannot be used.`
}
