/** One word of a command line: what it means, and how it was written. */
export interface ShellWord {
  readonly value: string
  readonly text: string
}

export interface ShellWords {
  readonly words: readonly ShellWord[]
  /** A rest that a quote or a backslash without an end keeps from being words; empty when there is none. */
  readonly unfinished: string
}

/** White space, one of the four ways to write a part of a word, or a line that goes on in the next one. */
const piece = /(\s+)|\\\n|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/suy

/**
 * Takes a line apart as a POSIX shell does (Shell Command Language 2.2), without expanding anything: `$`, `*`,
 * `#` and `&` are plain characters, as in the value of a variable. shell-quote reads them as a shell would run
 * them, and passes over a quote without an end, so it cannot be used where nothing may be lost.
 */
export function splitShellWords(line: string): ShellWords {
  const words: ShellWord[] = []
  let value = ''
  /** Where the word began; `null` between words. */
  let start: number | null = null
  let at = 0
  while (at < line.length) {
    piece.lastIndex = at
    const match = piece.exec(line)
    if (match === null) return { words, unfinished: line.slice(start ?? at) }
    const [whole, space, single, double, escaped, plain] = match
    const part = single ?? (double === undefined ? undefined : unescaped(double)) ?? escaped ?? plain
    if (space !== undefined && start !== null) {
      words.push({ value, text: line.slice(start, at) })
      value = ''
      start = null
    } else if (part !== undefined) {
      value += part
      start ??= at
    }
    at += whole.length
  }
  if (start !== null) words.push({ value, text: line.slice(start) })
  return { words, unfinished: '' }
}

/** A word as it is written in a line: as it is where it can be, else in single quotes. */
export function quoteShellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** Within double quotes a backslash only escapes these (2.2.3). */
function unescaped(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_, character: string) => (character === '\n' ? '' : character))
}
