import { diffLines } from 'diff'
import { counted } from '#domain/base/plural.ts'
import { visibleText } from '#domain/fields/field-format.ts'

/** A line of a text as it may be shown, and on which side it is. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added' | 'skipped'
  readonly text: string
}

/** Equal lines that stay in sight around a change. */
const context = 2
/** Lines that are drawn; whoever changed more than that sees how many more there are. */
const mostLines = 400
/** Characters that are drawn of a line: a file of megabytes may have no other. */
const longestLine = 2_000

/** Two texts line by line, with what is equal for long left out. */
export function linesBetween(before: string, after: string): readonly DiffLine[] {
  // A text of many thousand lines is not compared for minutes: then one stands for the other as a whole.
  const parts = diffLines(before, after, { timeout: 500 }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  const lines = parts.flatMap(({ value, added, removed }, at): readonly DiffLine[] => {
    const texts = value.replace(/\n$/, '').split('\n').map(shownLine)
    if (value === '') return []
    if (added || removed) return texts.map((text) => ({ kind: added ? 'added' : 'removed', text }))
    return shortened(texts, { isFirst: at === 0, isLast: at === parts.length - 1 })
  })
  if (lines.length <= mostLines) return lines
  return [...lines.slice(0, mostLines), skipped(lines.length - mostLines)]
}

/** As it may be shown, without the other half of a line end. */
function shownLine(line: string): string {
  const text = line.replace(/\r$/, '')
  return visibleText(text.length > longestLine ? `${text.slice(0, longestLine)}…` : text)
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
