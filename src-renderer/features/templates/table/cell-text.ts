import { fieldText, type Field } from '#domain/fields/field-format.ts'
import type { Template } from '#domain/templates/template.ts'

/** A cell has one line. */
const longestCell = 300
const exactTime = /^\d{4}-\d\d-\d\d /

/** What a cell shows of a template: of a time its day alone, as the exact one is in the cell's tooltip. */
export function cellText(field: Field, template: Template): string {
  const text = fieldText(field, template)
  return field.format.kind === 'time' && exactTime.test(text) ? text.slice(0, 10) : text.slice(0, longestCell)
}
