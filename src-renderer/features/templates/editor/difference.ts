import { diffLines } from 'diff'
import {
  templateFields,
  type TemplateChanges,
  type TemplateContent,
  type TemplateField,
} from '#domain/templates/template-content.ts'
import { visibleText } from '#domain/fields/field-format.ts'
import { counted } from '#domain/base/plural.ts'
import { fieldLabels } from '#shared/templates/field-labels.ts'

/** A line of a text, and on which side it is. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped'
  readonly text: string
}

/** One field of a difference: a value for another, or a text line by line. */
export type FieldDifference = {
  readonly field: TemplateField
  readonly label: string
} & (
  | { readonly kind: 'value'; readonly before: string; readonly after: string }
  | { readonly kind: 'lines'; readonly lines: readonly DiffLine[] }
)

/** Equal lines that stay in sight around a change. */
const context = 2
/** Lines of one field that are drawn; whoever changed more than that sees how many more there are. */
const mostLines = 400
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
      : [{ field, label, kind: 'value', before: was, after: is }]
  })
}

/** A field's value as text; nothing is an empty one. */
export function fieldText(value: TemplateContent[TemplateField]): string {
  if (value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
  return visibleText(String(value))
}

/** Two texts line by line, with what is equal for long left out. */
export function linesBetween(before: string, after: string): readonly DiffLine[] {
  // A text of many thousand lines is not compared for minutes: then one stands for the other as a whole.
  const parts = diffLines(before, after, { timeout: 500 }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const lines = parts.flatMap(({ value, added, removed }, at): readonly DiffLine[] => {
    const texts = value.replace(/\n$/, '').split('\n')
    if (value === '') return []
    if (added || removed) return texts.map((text) => ({ kind: added ? 'added' : 'removed', text }))
    return shortened(texts, { isFirst: at === 0, isLast: at === parts.length - 1 })
  })
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines), skipped(lines.length - mostLines)]
}

function shortened(
  texts: readonly string[],
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): readonly DiffLine[] {
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  const head = isFirst ? 0 : context
  const tail = isLast ? 0 : context
  const left = texts.length - head - tail
  if (left <= 1) return texts.map(same)
  return [...texts.slice(0, head).map(same), skipped(left), ...texts.slice(texts.length - tail).map(same)]
}

function skipped(count: number): DiffLine {
  return { kind: 'skipped', text: counted(count, 'more line') }
}
