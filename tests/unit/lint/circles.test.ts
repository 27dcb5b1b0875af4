import { describe, expect, test } from 'vitest'
import { circlesOfAreas, circlesOfFiles } from '../../support/circles.ts'
import { scriptsIn } from '../../support/source-files.ts'
import { importsIn, sourceImports, testImports, type Imports } from '../../support/source-imports.ts'

/** Folders whose folders are areas. */
const layers = ['src-main/domain/', 'src-main/services/', 'src-renderer/shared/']

describe('the imports of main and window', () => {
  const imports = sourceImports()

  test('hold no circle of files', () => {
    // To open one: what both sides need goes into a file below them, or the lower one names what it needs as a type.
    expect(circlesOfFiles(imports)).toEqual([])
  })

  test.each(layers)('hold no circle of areas of %s', (layer) => {
    expect(circlesOfAreas(imports, layer)).toEqual([])
  })

  test('are read in main, in the window, and from one to the other', () => {
    const reach = (from: RegExp, to: string): boolean =>
      [...imports].some(([file, targets]) => from.test(file) && targets.some((one) => one.startsWith(to)))
    expect(reach(/^src-main\/.*\.ts$/, 'src-main/domain/')).toBe(true)
    expect(reach(/^src-renderer\/.*\.vue$/, 'src-renderer/')).toBe(true)
    expect(reach(/^src-renderer\/.*\.vue$/, 'src-main/domain/')).toBe(true)
  })
})

describe('the imports of tests and tools', () => {
  const imports = testImports()

  test('hold no circle of files', () => {
    expect(circlesOfFiles(imports)).toEqual([])
  })

  test.each(['tests/simulator/', 'tests/electron-on-chromium/', 'tests/support/', 'tools/'])(
    'are read in %s',
    (folder) => {
      const isThere = [...imports].some(([file, targets]) => file.startsWith(folder) && targets.length > 0)
      expect(isThere).toBe(true)
    },
  )
})

describe('an import', () => {
  const file = 'src-renderer/features/offers/planted.ts'

  test.each([
    ['of a value', `import { a } from './a.ts'`, 'src-renderer/features/offers/a.ts'],
    ['of a type', `import type { A } from '../b.ts'`, 'src-renderer/features/b.ts'],
    ['for its effect', `import './a.ts'`, 'src-renderer/features/offers/a.ts'],
    ['passed on', `export * from './a.ts'`, 'src-renderer/features/offers/a.ts'],
    ['of a type passed on', `export type { A } from './a.ts'`, 'src-renderer/features/offers/a.ts'],
    ['when needed', `const page = () => import('./Page.vue')`, 'src-renderer/features/offers/Page.vue'],
    ['inside of a type', `type A = import('./a.ts').A`, 'src-renderer/features/offers/a.ts'],
    ['by alias', `import { log } from '#domain/base/log.ts'`, 'src-main/domain/base/log.ts'],
    ['with a query', `import make from './a.ts?nodeWorker'`, 'src-renderer/features/offers/a.ts'],
  ])('%s is seen', (_, script, target) => {
    expect(importsIn(file, script)).toEqual([target])
  })

  test('of a Vue file is seen in each of its scripts', () => {
    const text = `<script lang="ts">import './a.ts'</script><template>import './b.ts'</template>
      <script setup lang="ts">\nimport C from './C.vue'\n</script>`
    expect(importsIn('src-renderer/App.vue', scriptsIn(text))).toEqual([
      'src-renderer/a.ts',
      'src-renderer/C.vue',
    ])
  })

  test('of a package, or in a comment or a text, is none', () => {
    const script = `import { z } from 'zod'\n// import './a.ts'\nconst text = "import './a.ts'"`
    expect(importsIn(file, script)).toEqual([])
  })
})

describe('a planted circle', () => {
  const planted = (links: Readonly<Record<string, readonly string[]>>): Imports =>
    new Map(Object.entries(links))

  test('of two files is told by them', () => {
    expect(circlesOfFiles(planted({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'] }))).toEqual(['a.ts → b.ts → a.ts'])
  })

  test('of a file with itself is told', () => {
    expect(circlesOfFiles(planted({ 'a.ts': ['a.ts'] }))).toEqual(['a.ts → a.ts'])
  })

  test('is told by its shortest way, without what only leads to it', () => {
    const imports = planted({
      'a.ts': ['b.ts'],
      'b.ts': ['c.ts', 'd.ts'],
      'c.ts': ['d.ts'],
      'd.ts': ['e.ts'],
      'e.ts': ['b.ts'],
    })
    expect(circlesOfFiles(imports)).toEqual(['b.ts → d.ts → e.ts → b.ts', 'c.ts → d.ts → e.ts → b.ts → c.ts'])
  })

  test('beside another one is told, too', () => {
    const imports = planted({ 'a.ts': ['b.ts'], 'b.ts': ['a.ts'], 'c.ts': ['d.ts'], 'd.ts': ['c.ts'] })
    expect(circlesOfFiles(imports)).toHaveLength(2)
  })

  test('is none where two ways meet', () => {
    const imports = planted({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['d.ts'], 'c.ts': ['d.ts'], 'd.ts': [] })
    expect(circlesOfFiles(imports)).toEqual([])
  })

  test('of areas is told by the files that make it, though they make none themselves', () => {
    const imports = planted({
      'src-main/domain/guards/alarms.ts': ['src-main/domain/notifications/settings.ts'],
      'src-main/domain/notifications/settings.ts': [],
      'src-main/domain/notifications/notification.ts': ['src-main/domain/guards/guard.ts'],
      'src-main/domain/guards/guard.ts': [],
    })
    expect(circlesOfFiles(imports)).toEqual([])
    expect(circlesOfAreas(imports, 'src-main/domain/')).toEqual([
      'src-main/domain/guards/alarms.ts imports src-main/domain/notifications/settings.ts, ' +
        'src-main/domain/notifications/notification.ts imports src-main/domain/guards/guard.ts',
    ])
  })

  test('of areas also counts what lies deeper in an area', () => {
    const imports = planted({
      'src-main/services/ssh/keys/agent.ts': ['src-main/services/vault/vault.ts'],
      'src-main/services/vault/keys/seal.ts': ['src-main/services/ssh/ssh.ts'],
    })
    expect(circlesOfAreas(imports, 'src-main/services/')).toHaveLength(1)
  })

  test('is none inside of one area, between layers, or with a file that lies in no area', () => {
    const imports = planted({
      'src-main/domain/guards/alarms.ts': ['src-main/domain/guards/guard.ts', 'src-main/domain/flat.ts'],
      'src-main/domain/guards/guard.ts': ['src-main/services/guards/watch.ts'],
      'src-main/domain/flat.ts': ['src-main/domain/guards/guard.ts'],
      'src-main/services/guards/watch.ts': ['src-main/domain/guards/guard.ts'],
    })
    expect(circlesOfAreas(imports, 'src-main/domain/')).toEqual([])
  })
})
