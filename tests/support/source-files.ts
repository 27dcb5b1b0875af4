import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

const top = join(import.meta.dirname, '../..')

/** Every file of main and window that is written in TypeScript, as a path from the project's top. */
export function sourceFiles(): readonly string[] {
  return filesLike(['src-main/**/*.ts', 'src-renderer/**/*.{ts,vue}'])
}

/** Every script of the tests, what they run against, and the tools; likewise. */
export function testFiles(): readonly string[] {
  return filesLike(['tests/**/*.ts', 'tools/**/*.{js,mjs,mts,ts}'])
}

function filesLike(patterns: readonly string[]): readonly string[] {
  return globSync(patterns, { cwd: top })
    .map((file) => file.replaceAll(sep, '/'))
    .toSorted()
}

/** How many lines it has. @param file from the project's top */
export function linesOf(file: string): number {
  return readFileSync(join(top, file), 'utf8').split('\n').length - 1
}

/** What is TypeScript in a file: of a Vue file, its scripts. @param file from the project's top */
export function scriptOf(file: string): string {
  const text = readFileSync(join(top, file), 'utf8')
  return file.endsWith('.vue') ? scriptsIn(text) : text
}

/** @param text of a Vue file */
export function scriptsIn(text: string): string {
  return [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')
}
