import { expect, test } from 'vitest'
import { linesOf, sourceFiles, testFiles } from '../../support/source-files.ts'
import { importsAmong, sourceImports, type Imports } from '../../support/source-imports.ts'

/** A file of at most so many lines goes into the one file that imports it. */
const few = 25

/** What stays by itself, and why. */
const staying: Readonly<Record<string, string>> = {
  'src-main/desktop/locale-variables.ts': 'tested without Electron',
  'src-main/desktop/system-umask.ts': 'tested without Electron',
  'src-main/ipc/terminal-port.ts': 'one of two kinds of ports; the bench opens it without any calls',
  'src-main/services/vault/imports/otp-links.ts': 'one of the readers, of which each format has its own',
  'src-renderer/ipc/zod-without-eval.ts': 'imported before everything else',
  'src-renderer/shared/ssh/last-known-address.ts': 'tested without the calls that its store begins',
  'src-renderer/shared/ssh/use-turn.ts': 'shared by all that there are of its component',
  'src-renderer/ui/table/dragged-column.ts': 'shared by all that there are of its component',
}

/** Sentences, routers, doors, and what reaches into ssh2 have their places. */
const places =
  /-text\.ts$|^src-main\/(ipc\/routers|services\/ssh\/protocol)\/|^src-main\/services\/([^/]+)\/open-\2\.ts$/
/** Who only puts together has no rules of its own, so that small parts stay apart. */
const composition = /^src-main\/(index\.ts$|app\/)|^src-main\/services\/([^/]+)\/open-\2\.ts$/

/** Each small file of one importer that would better be a part of that. @param tested by tests of its own */
function tooSmall(
  imports: Imports,
  lines: (file: string) => number,
  tested: ReadonlySet<string>,
): readonly string[] {
  return [...imports.keys()].flatMap((file) => {
    if (!file.endsWith('.ts') || places.test(file) || lines(file) > few) return []
    const [importer, ...others] = [...imports].flatMap(([by, targets]) =>
      targets.includes(file) ? [by] : [],
    )
    if (importer === undefined || others.length > 0 || composition.test(importer)) return []
    // Nothing that is exported from a component can be tested by itself.
    if (importer.endsWith('.vue') && tested.has(file)) return []
    return [file]
  })
}

test(`a .ts file of at most ${few} lines with one importer is a part of that, unless it has a reason`, () => {
  const tests = importsAmong([...sourceFiles(), ...testFiles()])
  const tested = new Set(
    [...tests].flatMap(([file, targets]) => (file.startsWith('tests/unit/') ? targets : [])),
  )
  expect(tooSmall(sourceImports(), linesOf, tested).toSorted()).toEqual(Object.keys(staying).toSorted())
})

test('a small file is told, unless it is a text, an entry, a part of a door, or tested beside a component', () => {
  const imports = new Map([
    [
      'src-renderer/features/offers/Page.vue',
      ['a', 'b', 'offers-text'].map((name) => `src-renderer/features/offers/${name}.ts`),
    ],
    ['src-renderer/features/offers/a.ts', []],
    ['src-renderer/features/offers/b.ts', []],
    ['src-renderer/features/offers/offers-text.ts', []],
    ['src-main/services/runs/open-runs.ts', ['src-main/services/runs/runs.ts']],
    [
      'src-main/services/runs/runs.ts',
      ['src-main/services/runs/small.ts', 'src-main/services/runs/large.ts'],
    ],
    ['src-main/services/runs/small.ts', []],
    ['src-main/services/runs/large.ts', []],
    ['src-main/app/account-services.ts', ['src-main/services/runs/open-runs.ts']],
  ])
  const lines = (file: string): number => (file.endsWith('large.ts') ? 26 : 25)
  expect(tooSmall(imports, lines, new Set(['src-renderer/features/offers/b.ts']))).toEqual([
    'src-renderer/features/offers/a.ts',
    'src-main/services/runs/small.ts',
  ])
})
