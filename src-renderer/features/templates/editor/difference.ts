import {
  templateFields,
  type TemplateChanges,
  type TemplateContent,
  type TemplateField,
} from '#domain/templates/template-content.ts'
import { visibleText } from '#domain/fields/field-format.ts'
import { fieldLabels } from '#shared/templates/field-labels.ts'
import { linesBetween, type DiffLine } from '#ui/line-difference.ts'

/** One field of a difference: a value for another, or a text line by line. */
export type FieldDifference = {
  readonly field: TemplateField
  readonly label: string
} & (
  | { readonly kind: 'value'; readonly before: string; readonly after: string }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
)

const byLine: readonly TemplateField[] = [
  'desc',
  'readme',
  'env',
  'onstart',
  'args_str',
  'extra_filters',
  'volume_info',
]

/** What an edit changes, field by field in their order. */
export function differenceOf(before: TemplateContent, changes: TemplateChanges): readonly FieldDifference[] {
  return templateFields.flatMap((field): readonly FieldDifference[] => {
    if (!Object.hasOwn(changes, field)) return []
    const label = fieldLabels[field]
    const [was, is] = [fieldText(before[field]), fieldText(changes[field] ?? null)]
    return byLine.includes(field)
      ? [{ field, label, kind: 'lines', lines: linesBetween(was, is) }]
      : [{ field, label, kind: 'value', before: visibleText(was), after: visibleText(is) }]
  })
}

/** A field's value as text, which isn't fit to be shown yet; nothing is an empty one. */
export function fieldText(value: TemplateContent[TemplateField]): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
  return String(value)
}
