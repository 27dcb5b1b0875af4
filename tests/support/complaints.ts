import { join } from 'node:path'
import { ESLint } from 'eslint'
import tseslint from 'typescript-eslint'

const top = join(import.meta.dirname, '..', '..')

// The project's own configuration, without the rules that need types: the planted files are in no program.
const eslint = new ESLint({
  cwd: top,
  overrideConfigFile: join(top, 'eslint.config.js'),
  overrideConfig: [
    { ...tseslint.configs.disableTypeChecked, languageOptions: { parserOptions: { projectService: false } } },
  ],
})

/** What lint says of `code` in a file at `path`, for one rule. */
export async function complaints(path: string, code: string, ruleId: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: join(top, path) })
  const fatal = result?.messages.find((message) => message.fatal)
  if (result === undefined || fatal !== undefined) throw new Error(`Not linted: ${fatal?.message ?? path}`)
  return result.messages.filter((message) => message.ruleId === ruleId).map(({ message }) => message)
}
