import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { build, type Plugin } from 'vite'
import { isAllowed } from '../../../tools/licenses/allowed-licenses.mjs'
import { createLicenseCollector } from '../../../tools/licenses/license-collector.mjs'
import { readShippedPackage } from '../../../tools/licenses/shipped-package.mjs'

const texts = join(import.meta.dirname, '../../../tools/licenses/texts')
let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'slipway-licenses-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
}

/** Files of a package of this name, with others in their place or beside them. */
function packageFiles(
  name: string,
  others: Readonly<Record<string, string>> = { LICENSE: `text of ${name}` },
  manifest: object = { license: 'MIT' },
): Record<string, string> {
  const files = {
    'package.json': JSON.stringify({ name, version: '1.0.0', ...manifest }),
    'index.js': `export const ${name.replaceAll(/\W/g, '')} = 1`,
    ...others,
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [join('node_modules', name, path), text]),
  )
}

describe('a license', () => {
  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['MPL-2.0 OR Apache-2.0', true],
    ['MIT AND ISC', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['GPL-2.0-only WITH Classpath-exception-2.0', false],
    ['(MIT AND (GPL-2.0-only OR GPL-3.0-only))', false],
    ['(MIT OR Apache-2.0) AND (GPL-3.0-only OR LGPL-3.0-only)', false],
    ['UNLICENSED', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['', false],
  ])('%s: %s', (expression, allowed) => {
    expect(isAllowed(expression)).toBe(allowed)
  })
})

describe('a package that ships', () => {
  const read = (): unknown => readShippedPackage(join(top, 'node_modules/one'), texts)

  test('has the text of its license, and its notices after it', () => {
    write(
      packageFiles('one', {
        'licence.md': '\n   terms\r\n\r\nand more\n',
        NOTICE: 'notice',
        'licenses/d3': 'part',
      }),
    )
    expect(read()).toEqual({
      name: 'one',
      version: '1.0.0',
      license: 'MIT',
      text: '   terms\n\nand more\n\nnotice\n\npart',
    })
  })

  test('may name its license as packages did long ago', () => {
    write(packageFiles('one', { LICENSE: 'terms' }, { licenses: [{ type: 'ISC' }] }))
    expect(read()).toMatchObject({ license: 'ISC' })
  })

  test('fails the build without a license, with one that is not allowed, and without its text', () => {
    write(packageFiles('one', { LICENSE: 'terms' }, {}))
    expect(read).toThrow('one 1.0.0 names no license')
    write(packageFiles('one', { LICENSE: 'terms' }, { license: 'AGPL-3.0-only' }))
    expect(read).toThrow(
      'one 1.0.0 is under AGPL-3.0-only, which is not in tools/licenses/allowed-licenses.mjs',
    )
    rmSync(join(top, 'node_modules/one/LICENSE'))
    write(packageFiles('one', { NOTICE: 'a notice is no license', 'licensed.js': '' }))
    expect(read).toThrow('one 1.0.0 comes without the text of its license')
  })
})

describe('what a build collects', () => {
  beforeEach(() => {
    write({
      'package.json': JSON.stringify({
        name: 'app',
        productName: 'App',
        version: '2.0.0',
        license: 'MIT',
        dependencies: { required: '1.0.0' },
      }),
      LICENSE: 'text of the app',
      ...packageFiles('electron'),
      ...packageFiles('electron-vite'),
      ...packageFiles('rolldown'),
      ...packageFiles(
        'required',
        { LICENSE: 'text of required' },
        { license: 'ISC', dependencies: { inner: '1.0.0' } },
      ),
      ...packageFiles('required/node_modules/inner'),
      ...packageFiles('used'),
      ...packageFiles('unused'),
      'main.js': `import { used } from 'used'; console.log(used)`,
    })
  })

  const collected = (): { name: string }[] =>
    JSON.parse(readFileSync(join(top, 'out/packages.json'), 'utf8')) as { name: string }[]
  const collector = () => createLicenseCollector({ top: `${top}/`, output: join(top, 'out') })
  const bundle = (...plugins: Plugin[]): Promise<unknown> =>
    build({
      root: top,
      configFile: false,
      logLevel: 'silent',
      plugins,
      build: { write: false, assetsInlineLimit: 0, rolldownOptions: { input: join(top, 'main.js') } },
    })

  test('is the app, what it is built from, what main requires, and Electron; not what is only installed', async () => {
    await bundle(collector()())
    expect(collected().map(({ name }) => name)).toEqual([
      'App',
      'electron',
      'electron-vite',
      'required',
      'required/node_modules/inner',
      'rolldown',
      'used',
    ])
    const text = readFileSync(join(top, 'out/LICENSES.txt'), 'utf8')
    for (const one of ['text of the app', 'text of required', 'used 1.0.0 (MIT)\n\ntext of used', 'Chromium'])
      expect(text).toContain(one)
    expect(text).not.toContain('unused')
  })

  test('has the app once, also where a link leads to its folder', async () => {
    const link = `${top}-link`
    // Windows lets everybody make this kind of link.
    symlinkSync(top, link, 'junction')
    try {
      await bundle(createLicenseCollector({ top: link, output: join(top, 'out') })())
      expect(collected().filter(({ name }) => name.toLowerCase() === 'app')).toHaveLength(1)
    } finally {
      rmSync(link, { recursive: true })
    }
  })

  test('has packages of styles, of fonts, and of what those style sheets import', async () => {
    write({
      ...packageFiles('font', { LICENSE: 'OFL', 'font.woff2': 'glyphs' }, { license: 'OFL-1.1' }),
      ...packageFiles('@scope/theme', { LICENSE: 'MIT', 'theme.css': 'b { color: red }' }),
      'node_modules/used/extra/index.js': 'export const used = 2',
      'style.css': `@import '@scope/theme/theme.css';\n@font-face { src: url('./node_modules/font/font.woff2') }`,
      'main.js': `import './style.css'`,
    })
    await bundle(collector()())
    expect(collected().map(({ name }) => name)).toEqual(expect.arrayContaining(['@scope/theme', 'font']))
  })

  test('has what a package brings inside of its own files', async () => {
    write({
      ...packageFiles('@xterm/addon-clipboard'),
      ...packageFiles('js-base64', { 'LICENSE.md': 'text of js-base64' }, { license: 'BSD-3-Clause' }),
      'main.js': `import { xtermaddonclipboard } from '@xterm/addon-clipboard'; console.log(xtermaddonclipboard)`,
    })
    await bundle(collector()())
    expect(collected()).toContainEqual(
      expect.objectContaining({ name: 'js-base64', text: 'text of js-base64' }),
    )
  })

  test('is written once all builds are through', async () => {
    const make = collector()
    const [first, second] = [make(), make()]
    await bundle(first)
    expect(collected).toThrow('ENOENT')
    await bundle(second)
    expect(collected()).not.toEqual([])
  })

  test('fails the build where a package may not ship, and where nobody knows whose code a module is', async () => {
    await expect(
      bundle(collector()(), {
        name: 'maker',
        enforce: 'pre',
        resolveId: (id) => (id === 'used' ? 'virtual:made' : null),
        load: (id) => (id === 'virtual:made' ? 'export const used = 1' : null),
      }),
    ).rejects.toThrow('"virtual:made" is made while building')
    write(packageFiles('used', { LICENSE: 'terms' }, { license: 'GPL-3.0-only' }))
    await expect(bundle(collector()())).rejects.toThrow('used 1.0.0 is under GPL-3.0-only')
  })
})
