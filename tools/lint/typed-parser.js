import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import vue from 'eslint-plugin-vue'
import ts from 'typescript'
import tseslint from 'typescript-eslint'

/** Folders of a `tsconfig.json`, each with the files that it includes. */
const parts = ['src-main/contract', 'src-main', 'src-renderer', 'tests']
/** What takes `.vue` files apart, and hands their script to the parser. */
export const vueParser = vue.configs['flat/base'].find(({ languageOptions }) => languageOptions?.parser)
  .languageOptions.parser
const vueFiles = [{ extension: '.vue', isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }]

/**
 * typescript-eslint's parser, with one program for each part in a single run. By itself it begins a new program at each
 * `.vue` file, whose script it learns only then, and each program finds out anew what types the file's imports have: the
 * 367 of them took 90 of ESLint's 220 seconds.
 *
 * A file whose text isn't the one on the disk, such as after a fix, is left to typescript-eslint.
 *
 * @param {string} top the project's folder
 * @param {boolean} isSingleRun false in an editor, where files change
 */
export function typedParser(top, isSingleRun) {
  /** By path: parts share what they import. */
  const sources = new Map()
  /** By path, for each file that is checked with types: what makes its part's program, once. */
  const programs = new Map()

  /** What the parser is handed of a `.vue` file. */
  function scriptOf(path) {
    let script = ''
    const parser = {
      parseForESLint(code, options) {
        if (options.projectService) script = code
        return tseslint.parser.parseForESLint(code, { ...options, projectService: undefined })
      },
    }
    try {
      vueParser.parseForESLint(readFileSync(path, 'utf8'), {
        ...{ filePath: path, sourceType: 'module', projectService: true, parser },
        ...{ loc: true, range: true, tokens: true, comment: true },
      })
    } catch {
      // Whoever checks this file is told; the others of its part can be checked without it.
    }
    return script
  }

  function createProgram(fileNames, options) {
    const host = ts.createCompilerHost(options, true)
    const { getSourceFile } = host
    host.getSourceFile = (path, ...rest) => {
      if (!sources.has(path))
        sources.set(
          path,
          path.endsWith('.vue')
            ? ts.createSourceFile(path, scriptOf(path), rest[0], true, ts.ScriptKind.TS)
            : getSourceFile(path, ...rest),
        )
      return sources.get(path)
    }
    return ts.createProgram(fileNames, { ...options, noEmit: true, allowNonTsExtensions: true }, host)
  }

  for (const part of isSingleRun ? parts : []) {
    const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(
      join(top, part, 'tsconfig.json'),
      {},
      {
        ...ts.sys,
        onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
          throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
        },
      },
      undefined,
      undefined,
      vueFiles,
    )
    let program
    const ofPart = () => (program ??= createProgram(fileNames, options))
    for (const path of fileNames) programs.set(path, ofPart)
  }

  return {
    ...tseslint.parser,
    parseForESLint(code, options) {
      const path = options.filePath?.replaceAll('\\', '/')
      const program = options.projectService ? programs.get(path)?.() : undefined
      if (program?.getSourceFile(path)?.text !== code) return tseslint.parser.parseForESLint(code, options)
      return tseslint.parser.parseForESLint(code, {
        ...options,
        projectService: undefined,
        programs: [program],
      })
    },
  }
}
