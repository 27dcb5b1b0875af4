import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { preProcessFile } from 'typescript'
import { expect, test } from 'vitest'

const top = join(import.meta.dirname, '../../..')
const manifest = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
const lock = JSON.parse(readFileSync(join(top, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, object>>
}

const files = globSync(
  ['{src-main,src-renderer,tests,tools,build}/**/*.{ts,mts,js,mjs,vue,css}', '*.{ts,js}'],
  { cwd: top },
).map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') }))

/** `@scope/name/part` is of the package `@scope/name`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** What a file imports, as it is written there. */
function specifiersOf({ path, text }: { readonly path: string; readonly text: string }): readonly string[] {
  if (path.endsWith('.css'))
    return [...text.matchAll(/^@(?:import|plugin) ['"]([^'"]+)/gm)].map(([, specifier = '']) => specifier)
  const scripts = path.endsWith('.vue')
    ? [...text.matchAll(/<script\b[^>]*>(.*?)<\/script>/gs)].map(([, script = '']) => script)
    : [text]
  return scripts.flatMap((script) => preProcessFile(script).importedFiles.map(({ fileName }) => fileName))
}

const imported = files.flatMap((file) =>
  specifiersOf(file)
    .filter((specifier) => !/^[.#/]/.test(specifier) && !isBuiltin(specifier))
    .map((specifier) => ({ path: file.path, name: packageOf(specifier) })),
)

test('every package that is imported is declared, not only brought along by another one', () => {
  expect(imported.length).toBeGreaterThan(1000)
  expect(imported.filter(({ name }) => !declared.includes(name))).toEqual([])
})

/** By a command of package.json, a program that a tool starts, or the types that a configuration names. */
function isNamed(name: string): boolean {
  const started = new RegExp(`['"]${name}/[^'"]+\\.[cm]?js['"]`)
  return (
    Object.values(manifest.scripts).some((script) => script.split(/\s+/).includes(name)) ||
    files.some(({ path, text }) => path.startsWith('tools/') && started.test(text))
  )
}

test('every package that is declared is used', () => {
  const used = new Set(imported.map(({ name }) => name))
  const idle = declared.filter((name) => {
    // Types are for a package that is used, or for Node.
    const typed = /^@types\/(.+)$/.exec(name)?.[1]
    return typed === undefined ? !used.has(name) && !isNamed(name) : typed !== 'node' && !used.has(typed)
  })
  expect(idle).toEqual([])
})

test.each(['@vueuse/core', 'reka-ui', 'vue', 'zod'])(
  'there is one %s: two would both be in the bundle',
  (name) => {
    const copies = Object.keys(lock.packages).filter((path) => path.endsWith(`node_modules/${name}`))
    expect(copies).toEqual([`node_modules/${name}`])
  },
)

const [dependencies = ''] = readFileSync(join(top, 'docs/dependencies.md'), 'utf8').split(/^(?=## )/m)
/** The first column of its tables: names by commas, `@scope/*` for all of a scope. */
const explained = [...dependencies.matchAll(/^\| ([^|]+?) +\|/gm)].flatMap(([, names = '']) =>
  names.split(', '),
)

test('docs/dependencies.md says of every package that ships why it is there', () => {
  const shipped = imported.filter(({ path }) => path.startsWith('src-')).map(({ name }) => name)
  const isExplained = (name: string): boolean =>
    explained.includes(name) || explained.includes(`${name.split('/')[0]}/*`)
  expect([...new Set(shipped)].filter((name) => !isExplained(name))).toEqual([])
})

test('docs/dependencies.md explains no package that is not declared', () => {
  const packages = explained.filter((name) => /^@?[a-z]/.test(name) && !/^(dev)?dependency$/i.test(name))
  expect(packages.length).toBeGreaterThan(20)
  expect(
    packages.filter(
      (name) =>
        !declared.some(
          (each) => each === name || (name.endsWith('/*') && each.startsWith(name.slice(0, -1))),
        ),
    ),
  ).toEqual([])
})
