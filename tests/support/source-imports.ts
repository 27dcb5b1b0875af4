import { join } from 'node:path/posix'
import ts from 'typescript'
import packageFile from '../../package.json' with { type: 'json' }
import { scriptOf, sourceFiles, testFiles } from './source-files.ts'

/** What each file imports, by the file; both as paths from the project's top. */
export type Imports = ReadonlyMap<string, readonly string[]>

/** What every file of main and window imports of these files, types too. */
export function sourceImports(): Imports {
  return importsAmong(sourceFiles())
}

/** The same of tests and tools. */
export function testImports(): Imports {
  return importsAmong(testFiles())
}

/** What each of these files imports of them. */
export function importsAmong(list: readonly string[]): Imports {
  const files = new Set(list)
  return new Map(
    list.map((file) => [file, importsIn(file, scriptOf(file)).filter((target) => files.has(target))]),
  )
}

/**
 * The project's own files that a script imports; packages and Node's modules are none.
 *
 * @param file where it stands, from the project's top
 * @param script TypeScript
 */
export function importsIn(file: string, script: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(script)
  return [...new Set(importedFiles.flatMap(({ fileName }) => ownFile(fileName, file) ?? []))]
}

/** The project's own file that a specifier leads to; `null` for a package. */
export function ownFile(specifier: string, importer: string): string | null {
  const bare = specifier.replace(/\?.*$/, '')
  if (/^\.{1,2}\//.test(bare)) return join(importer, '..', bare)
  for (const [alias, folder] of Object.entries(packageFile.imports)) {
    const prefix = alias.replace(/\*$/, '')
    if (bare.startsWith(prefix)) return join(folder.replace(/\*$/, ''), bare.slice(prefix.length))
  }
  return null
}
