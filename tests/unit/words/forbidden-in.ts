import { forbiddenWords } from './forbidden-words.ts'
import { shownTexts } from './shown-texts.ts'

interface FoundWord {
  readonly file: string
  readonly line: number
  readonly word: string
  readonly say: string
}

const checks = forbiddenWords.map(({ pattern, ...rest }) => ({
  ...rest,
  // Not within a longer word, a path, or an address.
  expression: new RegExp(`(?<![\\w#/-])(?:${pattern.replaceAll(' ', '\\s+')})(?![\\w/-])`, 'gi'),
}))

/**
 * The forbidden words in what a user meets of a file.
 *
 * @param file from the project's top
 * @param source what stands in it
 */
export function forbiddenIn(file: string, source: string): readonly FoundWord[] {
  const lineOf = (at: number): number => source.slice(0, at).split('\n').length
  const here = checks.filter(({ within }) => within?.test(file) ?? true)
  return shownTexts(file, source).flatMap(({ at, text }) =>
    here.flatMap(({ expression, say }) =>
      [...text.matchAll(expression)].map((match) => ({
        file,
        line: lineOf(at + match.index),
        word: match[0].replaceAll(/\s+/g, ' '),
        say,
      })),
    ),
  )
}
