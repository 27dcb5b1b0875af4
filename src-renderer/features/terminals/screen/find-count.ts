import { formatNumber } from '#ui/format.ts'

/** More matches than this are neither marked nor counted: each costs a decoration. */
export const countedMatches = 1_000

export interface FindQuery {
  readonly text: string
  readonly matchCase: boolean
  readonly regularExpression: boolean
}

/** What was found; `at` is the 1-based number of the match that is shown, `null` when it is not among the counted. */
export interface FindCount {
  readonly at: number | null
  readonly total: number
}

/** Whether it can be searched for: a regular expression may be unfinished. */
export function isSearchable({ text, regularExpression }: FindQuery): boolean {
  if (!regularExpression) return true
  try {
    return new RegExp(text).source !== ''
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The count as it is told. */
export function countText({ at, total }: FindCount, query: FindQuery): string {
  if (query.text === '') return ''
  if (!isSearchable(query)) return 'Invalid regular expression'
  if (total === 0) return 'No results'
  const all = total >= countedMatches ? `more than ${formatNumber(total)}` : String(total)
  return at === null ? all : `${at} of ${all}`
}
