import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

export const top = join(import.meta.dirname, '../../..')

const folders = ['.github', 'build', 'docs', 'src-main', 'src-renderer', 'tests', 'tools']

/** Every page of the project, as a path from its top. */
export const pages: readonly string[] = globSync(['*.md', ...folders.map((folder) => `${folder}/**/*.md`)], {
  cwd: top,
})
  .map((page) => page.replaceAll(sep, '/'))
  .toSorted()

export function textOf(page: string): string {
  return readFileSync(join(top, page), 'utf8')
}

/** What of a page is neither code nor output. */
export function proseOf(page: string): string {
  return proseIn(textOf(page))
}

/** @param text of a page; what is left of it stands where it stood */
export function proseIn(text: string): string {
  return blanked(text, /^( *)```[^]*?^\1```$/gm)
}

/** A text with blanks in place of what matches, so that every line and character stays at its place. */
export function blanked(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (match) => match.replaceAll(/[^\n]/g, ' '))
}
