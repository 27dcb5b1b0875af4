// Collects the licenses of all that ships while it is built, from the modules that are bundled.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { packageFolderOf, readShippedPackage } from './shipped-package.mjs'

/** Modules that are made while building, and whose code they hold. The first that fits counts. */
const virtualModules = [
  [/^virtual:nuxt-ui-icons$/, '@iconify-json/lucide'],
  [/^virtual:nuxt-ui-/, '@nuxt/ui'],
  [/^\0vite\//, 'vite'],
  [/^\0plugin-vue:/, '@vitejs/plugin-vue'],
]

/** Packages that others bring inside of their own files, where no build tells them apart. */
const insideOthers = new Map([['@xterm/addon-clipboard', ['js-base64']]])

/** What ships without being a module: Electron itself, and the few lines that Rolldown and electron-vite add to code. */
const besidesModules = ['electron', 'electron-vite', 'rolldown']

/**
 * Makes a plugin for each build of Slipway. Once all of them are through, `packages.json` (for the licenses page) and
 * `LICENSES.txt` (for people) are written; while one is only served, as in development, nothing is.
 *
 * @param {{ top: string, output: string }} folders of the project, and for the two files
 * @returns {() => import('vite').Plugin}
 */
export function createLicenseCollector({ top: given, output }) {
  const top = resolve(given)
  const folders = requiredPackages(top)
  for (const name of besidesModules) folders.add(join(top, 'node_modules', name))
  const pending = new Set()

  return () => {
    const build = Symbol('build')
    pending.add(build)
    let root = top
    return {
      name: 'slipway:licenses',
      apply: 'build',
      configResolved(config) {
        root = config.root
      },
      generateBundle(_options, bundle) {
        // All modules that were read. Which of them are in a chunk in the end doesn't tell: of those that are left out,
        // constants may have been put in where they're used.
        const ofModules = [...this.getModuleIds()].flatMap((id) => foldersOfModule(id, top))
        const ofAssets = Object.values(bundle)
          .flatMap((part) => (part.type === 'asset' ? part.originalFileNames : []))
          .map((name) => packageFolderOf(resolve(root, name)))
        for (const folder of [...ofModules, ...ofAssets]) folders.add(folder)
        pending.delete(build)
        if (pending.size === 0) writeLicenses(output, readLicenses(top, folders))
      },
    }
  }
}

/** Folders of the packages that a module's code is of. */
function foldersOfModule(id, top) {
  const modules = join(top, 'node_modules')
  const virtual = virtualModules.find(([pattern]) => pattern.test(id))
  if (virtual !== undefined) return [join(modules, virtual[1])]
  if (/^(\0|virtual:)/.test(id))
    throw new Error(
      `${JSON.stringify(id)} is made while building: say in tools/licenses/license-collector.mjs whose code it is`,
    )
  // Node's own modules, Electron's, and those that are required at run time.
  if (!isAbsolute(id)) return []
  const file = id.replace(/\?.*$/, '')
  const own = packageFolderOf(file)
  // Tailwind puts what a style sheet imports into it, so that it is no module of its own.
  return id === file && file.endsWith('.css') ? [own, ...importedPackages(file, modules)] : [own]
}

function importedPackages(file, modules) {
  const imports = readFileSync(file, 'utf8').matchAll(/@import\s+['"]((?:@[^'"/]+\/)?[^'"./@][^'"/]*)/g)
  return [...imports].map(([, name]) => join(modules, name))
}

/** Folders of the packages that main requires at run time, and of those that these require. */
function requiredPackages(from, found = new Set()) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const folder = installedFolder(name, from)
    if (!found.has(folder)) requiredPackages(folder, found.add(folder))
  }
  return found
}

/** As Node looks for it: the nearest `node_modules` that has it. */
function installedFolder(name, from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  if (from === dirname(from)) throw new Error(`${name} is not installed`)
  return installedFolder(name, dirname(from))
}

/** Slipway first, then by name and version, each once. @throws Error when one may not ship */
function readLicenses(top, folders) {
  const { productName } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'))
  const read = (folder) => readShippedPackage(folder, join(top, 'tools', 'licenses', 'texts'))
  // By their true paths: a build names modules by those, with slashes on Windows, too.
  const own = realpathSync.native(top)
  const others = [...folders]
    .filter((folder) => realpathSync.native(folder) !== own)
    .flatMap((folder) => {
      const shipped = read(folder)
      const inside = insideOthers.get(shipped.name) ?? []
      return [shipped, ...inside.map((name) => read(installedFolder(name, folder)))]
    })
  const byId = new Map(others.map((one) => [`${one.name} ${one.version}`, one]))
  return [
    { ...read(top), name: productName },
    ...[...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, shipped]) => shipped),
  ]
}

function writeLicenses(output, packages) {
  mkdirSync(output, { recursive: true })
  writeFileSync(join(output, 'packages.json'), `${JSON.stringify(packages, null, 2)}\n`)
  const texts = packages.map(
    ({ name, version, license, text }) => `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`,
  )
  writeFileSync(join(output, 'LICENSES.txt'), `${intro}\n\n${texts.join('\n')}`)
}

const intro = `Slipway contains the packages below, under their licenses. Electron contains Chromium, Node.js, and other
libraries: their licenses are in LICENSES.chromium.html.`
