import { program } from './run.mjs'

// What `npm test` and `npm run quick` run. `npm run lint` and `npm run types` of package.json say the same.

const prettierFile = 'out/cache/prettier.json'
const eslintFile = 'out/cache/eslint.json'

/** A file that was found well formatted, and has its text still, is so: that can be kept everywhere. */
export const prettier = [
  ...program('prettier/bin/prettier.cjs'),
  '--check',
  '--log-level=warn',
  '--cache',
  '--cache-strategy=content',
  `--cache-location=${prettierFile}`,
]

export const eslint = [...program('eslint/bin/eslint.js'), '--max-warnings=0']

/**
 * ESLint's cache knows a file's text and the rules (eslint.config.js sees to that), and not the types that the file
 * imports: `npm test`, which decides, goes without it.
 */
export const eslintCache = ['--cache', '--cache-strategy=content', `--cache-location=${eslintFile}`]

/**
 * A part with those that it imports: each is checked once, and what has not changed since the last time is not.
 *
 * @param {'src-main/contract' | 'src-main' | 'src-renderer' | 'tests'} part `tests` for all
 */
export const vueTsc = (part) => [...program('vue-tsc/bin/vue-tsc.js'), '-b', part]

export const vitest = program('vitest/vitest.mjs')
export const playwright = program('@playwright/test/cli.js')
export const electronVite = program('electron-vite/bin/electron-vite.js')
