// What an npm package says of its license: in its package.json, and in files beside it.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isAllowed } from './allowed-licenses.mjs'

const licenseFile = /^(licen[cs]e|copying|unlicense)([._-]|$)/i
/** What must come along besides, such as Apache's NOTICE, and licenses of parts that were taken over. */
const noticeFile = /^(notice|third[._-]?party[._-]?(notices?|licenses?)|licenses)([._-]|$)/i
/** In the package of a bundler, what follows is of code that runs while building, and doesn't ship. */
const buildOnly = /^# Licenses of bundled dependencies$/m

/**
 * Texts of packages that name a license and come without its text. `from` is another package of the same project,
 * with the same authors; `file` is in texts/.
 */
const textsElsewhere = new Map([
  ['@iconify-json/lucide', { file: 'lucide.txt' }],
  ['@xterm/addon-serialize', { from: '@xterm/xterm' }],
  ['lazy-val', { file: 'lazy-val.txt' }],
])

/**
 * The folder of the package that a file belongs to: the nearest one whose package.json has a name and a version.
 *
 * @param {string} file
 * @returns {string}
 */
export function packageFolderOf(file) {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = readManifest(folder)
    if (manifest?.name !== undefined && manifest.version !== undefined) return folder
  }
  throw new Error(`${file} is in no package`)
}

/**
 * A package that ships, with its license.
 *
 * @param {string} folder of the package
 * @param {string} texts the folder texts/: electron-vite bundles its configuration, so that this file doesn't know its own
 * @returns {import('./shipped-package.d.mts').ShippedPackage}
 * @throws Error that says what is wrong when its license is missing, is not allowed, or has no text
 */
export function readShippedPackage(folder, texts) {
  const manifest = readManifest(folder)
  const { name, version } = manifest
  const license = licenseOf(manifest)
  if (license === null) throw new Error(`${name} ${version} names no license in its package.json`)
  if (!isAllowed(license))
    throw new Error(
      `${name} ${version} is under ${license}, which is not in tools/licenses/allowed-licenses.mjs: ` +
        'docs/dependencies.md, "Licenses", says what may be in it',
    )
  const text = licenseText(folder, name, texts)
  if (text === '')
    throw new Error(
      `${name} ${version} comes without the text of its license: add it to tools/licenses/texts and to ` +
        'textsElsewhere in tools/licenses/shipped-package.mjs',
    )
  return { name, version, license, text }
}

/** What package.json has to say, or `null` where there is none. */
function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/** npm's field, or the one that it replaced in 2014. */
function licenseOf({ license, licenses }) {
  const named = license ?? licenses?.[0]
  return (typeof named === 'string' ? named : named?.type)?.trim() ?? null
}

function licenseText(folder, name, texts) {
  const elsewhere = textsElsewhere.get(name)
  if (elsewhere?.file !== undefined) return readText(join(texts, elsewhere.file))
  const own =
    elsewhere === undefined ? folder : join(folder, ...name.split('/').map(() => '..'), elsewhere.from)
  const licenses = filesOf(own, licenseFile)
  // A notice alone is no license.
  return licenses.length === 0 ? '' : [...licenses, ...filesOf(own, noticeFile)].map(readText).join('\n\n')
}

/** Paths by their names, in the order of the alphabet; of a folder what is in it. */
function filesOf(folder, names) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => names.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesOf(path, /./) : [path]
    })
    .sort()
}

function readText(path) {
  const [text] = readFileSync(path, 'utf8').replaceAll('\r\n', '\n').split(buildOnly)
  // The first line may be a title that is set in.
  return text.replace(/^\n+/, '').trimEnd()
}
