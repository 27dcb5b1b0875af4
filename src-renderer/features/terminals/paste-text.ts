import { counted, plural } from '#domain/base/plural.ts'
import { countControls, countLines, hasSeveralLines } from './shell-text.ts'

/** What the question says before a paste that may run, or hides something. */
export function pasteText(
  text: string,
  /** The program there would run each line as it comes. */
  runsLines: boolean,
): { readonly title: string; readonly description: string } {
  const lines = countLines(text)
  const controls = countControls(text)
  const running = runsLines
    ? 'Each line runs as soon as it is pasted.'
    : 'The program takes them as text; they run when you press Enter.'
  const hidden =
    controls === 0
      ? ''
      : `${counted(controls, 'control character')} that ${plural(controls, 'is', 'are')} not to be seen in it will be left out.`
  if (!hasSeveralLines(text)) return { title: 'Paste text with control characters', description: hidden }
  return {
    title: lines === 1 ? 'Paste a whole line' : `Paste ${counted(lines, 'line')}`,
    description: [running, hidden].filter(Boolean).join(' '),
  }
}
