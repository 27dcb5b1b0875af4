/** How a text is written: what an editor doesn't show, and gives back as it was. */
export interface TextForm {
  /** Whether it begins with a byte order mark. */
  readonly hasMark: boolean
  /** What ends its lines. Of a text with several kinds, the others stay as characters of their lines. */
  readonly lineEnd: '\n' | '\r\n'
}

const mark = '\uFEFF'

/**
 * Takes off what isn't edited. {@link wholeText} puts it back.
 *
 * @param like what tells how lines end, where the text has one line only
 */
export function textFormOf(text: string, like = text): { readonly form: TextForm; readonly edited: string } {
  const hasMark = text.startsWith(mark)
  const edited = hasMark ? text.slice(mark.length) : text
  return { form: { hasMark, lineEnd: lineEndOf(/[\r\n]/.test(edited) ? edited : like) }, edited }
}

/** What is saved. */
export function wholeText({ hasMark }: TextForm, edited: string): string {
  return hasMark ? mark + edited : edited
}

/** Lines that are put in, from wherever they come, end as the text's own do. */
export function withLineEnds(text: string, { lineEnd }: TextForm): string {
  return text.replace(/\r\n?|\n/g, lineEnd)
}

function lineEndOf(text: string): TextForm['lineEnd'] {
  const breaks = text.match(/\r\n|\r|\n/g)
  return breaks?.every((each) => each === '\r\n') ? '\r\n' : '\n'
}

/** The most lines that are looked at for how they're indented. */
const mostLines = 1_000

/** What indents a line once more, as the text's first indented line does; else by its kind. */
export function indentOf(edited: string, isPython: boolean): string {
  for (const line of edited.split('\n', mostLines)) {
    if (line.startsWith('\t')) return '\t'
    const spaces = /^ {2,8}(?=\S)/.exec(line)?.[0]
    if (spaces) return spaces
  }
  return isPython ? '    ' : '  '
}
