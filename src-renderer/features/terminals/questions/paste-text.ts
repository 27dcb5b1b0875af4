import { counted } from '#domain/base/plural.ts'
import { countControls, countLines, hasSeveralLines } from '../shell-text.ts'

/** What the question says before a paste that may run, or hides something. */
export function pasteText(
  text: string,
  {
    runsLines,
    thenRuns,
  }: {
    /** The program there would run each line as it comes. */
    readonly runsLines: boolean
    /** Enter is pressed after it. */
    readonly thenRuns: boolean
  },
): { readonly title: string; readonly description: string } {
  const lines = countLines(text)
  const controls = countControls(text)
  const running = runsLines
    ? 'Each line runs as soon as it’s pasted.'
    : `The program receives the lines as text. ${thenRuns ? 'Then they run.' : 'They run when you press Enter.'}`
  const hidden = controls === 0 ? '' : `${counted(controls, 'invisible control character')} will be removed.`
  if (!hasSeveralLines(text)) return { title: 'Paste text with control characters', description: hidden }
  return {
    title: `Paste ${counted(lines, 'line')}`,
    description: [running, hidden].filter(Boolean).join(' '),
  }
}
