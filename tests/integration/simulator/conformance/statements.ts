/** One thing that the API description says: a row of a table, a list item's or a paragraph's sentence. */
export interface Statement {
  /** Number of the section it stands in, with the paragraph's title if it has one: `3.1`, `4.7 Complete login`. */
  readonly section: string
  readonly text: string
}

/** Takes the API description (docs/service-api.md) apart; headings and the heads of tables say nothing. */
export function statementsOf(markdown: string): Statement[] {
  const lines = markdown.split('\n')
  let section = ''
  return lines.flatMap((line, index) => {
    const heading = /^#+ (?:([\d.]*\d)\.? )?/.exec(line)
    const title = /^\*\*([^:]+): /.exec(line)?.[1]
    if (heading) section = heading[1] ?? ''
    if (title) section = `${section.split(' ')[0] ?? ''} ${title}`
    if (heading || isRule(line) || isRule(lines[index + 1] ?? '') || line.trim() === '') return []
    const texts = line.startsWith('|') ? [line] : sentencesOf(line.replace(/^\d+\. /, ''))
    return texts.map((text) => ({ section, text }))
  })
}

/** The line between the head of a table and its rows. */
function isRule(line: string): boolean {
  return /^\|[-|]+\|$/.test(line)
}

function sentencesOf(paragraph: string): string[] {
  return paragraph.split(/(?<=[^.]\.) (?=[A-Z`])/).filter((sentence) => sentence.trim() !== '')
}
