import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import vueAccessibility from 'eslint-plugin-vuejs-accessibility'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { layers } from './tools/lint/layers.js'
import { liveRegions } from './tools/lint/live-regions.js'
import { pureGlobals } from './tools/lint/pure-globals.js'
import { typedParser } from './tools/lint/typed-parser.js'

const patience =
  'It gives up after a second, which a busy machine takes: waitFor of tests/support/wait-for.ts.'
const typed = ['src-main/**/*.ts', 'src-renderer/**/*.{ts,vue}', 'tests/**/*.ts']
const plain = ['**/*.{js,mjs}', '*.config.ts']
const clock = 'Take it as an argument: the Clock of domain/base/clock.ts.'
const fetchArgument =
  'Take fetch as an argument: the app gives net.fetch of Electron (system proxy and certificates).'
const random = 'Take it as an argument: randomness belongs to the caller, so that a test can own it.'

/** Time, randomness and the network are arguments; their real makers are named in app/ and index.ts. */
const injected = {
  'no-restricted-globals': [
    'error',
    {
      checkGlobalObject: true,
      globals: [
        ...['setTimeout', 'setInterval', 'setImmediate', 'performance'].map((name) => ({
          name,
          message: clock,
        })),
        { name: 'fetch', message: fetchArgument },
      ],
    },
  ],
  'no-restricted-properties': [
    'error',
    { object: 'Date', property: 'now', message: clock },
    { object: 'AbortSignal', property: 'timeout', message: clock },
    { object: 'Math', property: 'random', message: random },
  ],
  'no-restricted-imports': [
    'error',
    { paths: ['node:timers', 'node:timers/promises'].map((name) => ({ name, message: clock })) },
  ],
  'no-restricted-syntax': [
    'error',
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: `new Date() is now. ${clock}`,
    },
    { selector: "CallExpression[callee.name='Date']", message: `Date() is now. ${clock}` },
  ],
}

const isCommandLine = /[\\/]eslint(\.js)?$/.test(process.argv[1] ?? '')
const parser = typedParser(import.meta.dirname, isCommandLine)

const noMarkup = 'Show text with {{ }}: markup from outside must never become part of the page.'

const unsafeOff = Object.fromEntries(
  ['argument', 'assignment', 'call', 'member-access', 'return'].map((use) => [
    `@typescript-eslint/no-unsafe-${use}`,
    'off',
  ]),
)

/**
 * Of what decides over all files and ESLint's cache does not see by itself, so that it begins anew when one of them
 * changes: our own rules, the aliases, packages with their types, and what TypeScript is told.
 */
function versionOfRules() {
  const cwd = import.meta.dirname
  const hash = createHash('sha256')
  for (const path of globSync(['tools/lint/*.js', 'package{,-lock}.json', '{,*/,src-main/*/}tsconfig.json'], {
    cwd,
  }).sort())
    hash.update(readFileSync(join(cwd, path)))
  return hash.digest('hex')
}

const slipway = {
  meta: { name: 'slipway', version: versionOfRules() },
  rules: { layers, 'live-regions': liveRegions, 'pure-globals': pureGlobals },
}

export default defineConfig(
  // electron-vite writes the last one beside its configuration while it reads that.
  globalIgnores(['out/', 'dist/', 'coverage/', 'electron.vite.config.ts.*.mjs']),
  { linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true } },

  {
    files: typed,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parser,
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.vue'],
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // The types do not know that `signal.aborted` and the like change while something is awaited.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // What is aborted is rejected with the signal's reason, whatever it is.
      '@typescript-eslint/prefer-promise-reject-errors': [
        'error',
        { allowThrowingAny: true, allowThrowingUnknown: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The page is refused the clipboard's permission like every other: this is how it copies.
      '@typescript-eslint/no-deprecated': ['error', { allow: [{ from: 'lib', name: 'execCommand' }] }],
      // There are no enums, and it is the slowest rule of all.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // An async function that happens to await nothing still keeps the promise of its type.
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: plain, languageOptions: { parser: tseslint.parser } },

  {
    files: ['**/*.vue'],
    extends: [vue.configs['flat/recommended'], vueAccessibility.configs['flat/recommended']],
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser } },
    rules: {
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/component-api-style': ['error', ['script-setup']],
      'vue/define-emits-declaration': ['error', 'type-based'],
      'vue/define-props-declaration': ['error', 'type-based'],
      'vue/no-v-html': 'error',
      'vue/no-restricted-v-bind': [
        'error',
        { argument: '/^(innerHTML|outerHTML|srcdoc)$/i', message: noMarkup },
      ],
      // The order of the parts and vue-tsc say more than a default of undefined.
      'vue/require-default-prop': 'off',
    },
  },

  {
    files: [...typed, ...plain],
    plugins: { slipway },
    rules: {
      'slipway/layers': 'error',
      'array-callback-return': 'error',
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      'no-constructor-return': 'error',
      'no-debugger': 'error',
      'no-duplicate-imports': ['error', { allowSeparateTypeImports: true }],
      'no-else-return': ['error', { allowElseIf: false }],
      'no-empty': 'error',
      'no-fallthrough': 'error',
      'no-param-reassign': 'error',
      'no-self-compare': 'error',
      'no-unsafe-finally': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'start' }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-object-has-own': 'error',
    },
  },
  { files: ['src-main/domain/**/*.ts'], rules: { ...injected, 'slipway/pure-globals': 'error' } },
  { files: ['src-main/services/**/*.ts'], rules: injected },
  { files: ['src-renderer/**/*.vue'], rules: { 'slipway/live-regions': 'error' } },
  {
    files: ['src-renderer/**/*.{ts,vue}'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({
          property,
          message: noMarkup,
        })),
      ],
    },
  },
  // ESLint's types know no .vue files and take what comes from them for `any`; vue-tsc knows them and checks.
  { files: ['src-renderer/**/*.{ts,vue}'], rules: unsafeOff },
  {
    files: ['tests/**/*.ts'],
    rules: {
      // expect.any() and its like are `any` by design.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // A stand-in is part of a large interface, and says so.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'as' }],
      // What a fetch is given, for one, becomes text well enough for a test.
      '@typescript-eslint/no-base-to-string': 'off',
    },
  },
  {
    files: ['tests/**/*.ts'],
    ignores: ['tests/support/wait-for.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['waitFor', 'waitUntil'].map((property) => ({ object: 'vi', property, message: patience })),
      ],
    },
  },
  // The page has no other log.
  { files: ['src-renderer/ipc/**'], rules: { 'no-console': ['error', { allow: ['error'] }] } },
  // Programs of the command line speak through the console.
  {
    files: ['tools/**', 'tests/simulator/main.ts', 'tests/bench/**', 'tests/pictures/**'],
    rules: { 'no-console': 'off' },
  },
  prettier,
)
