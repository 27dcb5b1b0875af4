import { knownText } from '#domain/fields/field-format.ts'
import type { Template } from '#domain/templates/template.ts'

/** Longest title that leaves room for anything else. */
const longestTitle = 120

/** What a template is called where there is no column for it. */
export function templateTitle({ id, name }: Pick<Template, 'id' | 'name'>): string {
  const text = knownText(name) ?? `Template ${id}`
  return text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text
}
