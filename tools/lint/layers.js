import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { aliases, rooms, windowPackages } from './layer-table.js'

const top = join(import.meta.dirname, '..', '..')

/** Packages with one home, and what everybody else does instead. */
const homes = [
  ['electron', 'Only desktop/, index.ts and preload.ts know Electron.'],
  ['ssh2', 'SSH is spoken in services/ssh/ only.'],
  ['ssh-config', 'SSH is spoken in services/ssh/ only.'],
  ['keytar', 'The keychain is reached through services/vault/ only.'],
  ['otplib', 'One-time passwords are made in services/vault/ only.'],
  ['p-retry', 'Requests are repeated in services/rental-api/ only.'],
  ['write-file-atomic', 'Files are written in services/storage/ only.'],
  ['@orpc/', 'oRPC is known in contract/, ipc/ and src-renderer/ipc/ only.'],
]

/** A path from the project's top, with forward slashes on every system. */
const fromTop = (path) => relative(top, path).split(sep).join('/')

const roomOf = (path) => rooms.find((room) => room.path.test(path))
const featureOf = (path) => /^src-renderer\/features\/([^/]+)\//.exec(path)?.[1]
const inWindow = (path) => path.startsWith('src-renderer/')
/** Of the window the folder whose files name each other by relative paths; of shared/ each area is one. */
const folderOf = (path) => /^src-renderer\/(?:shared\/)?[^/]+\//.exec(path)?.[0]
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

function isListed(name, list = []) {
  return list.some((entry) => (entry.endsWith('/*') ? name.startsWith(entry.slice(0, -1)) : name === entry))
}

/** Whether a room is among some, by its own name or by that of the folder above it. */
function isWithin(name, rooms) {
  return rooms.some((room) => name === room || name.startsWith(`${room}/`))
}

/** The project's own file that a specifier names, as a path from the top; undefined for packages and Node. */
function ownFile(specifier, importer) {
  const bare = specifier.replace(/\?.*$/, '')
  if (/^\.{1,2}(\/|$)/.test(bare)) return fromTop(join(top, dirname(importer), bare))
  const alias = Object.keys(aliases).find((prefix) => bare.startsWith(prefix))
  return alias === undefined ? undefined : aliases[alias] + bare.slice(alias.length)
}

/** How the window writes a file that stands outside of the importer's folder; undefined for one that has no alias. */
function byAlias(target, importer) {
  if (!inWindow(importer) || folderOf(target) === folderOf(importer)) return undefined
  const alias = Object.keys(aliases).find((prefix) => target.startsWith(aliases[prefix]))
  return alias === undefined ? undefined : alias + target.slice(aliases[alias].length)
}

/** How the importer would write a room: the window by alias, main by folder. */
function spelling(name, importer) {
  const alias = Object.keys(aliases).find((prefix) =>
    aliases[prefix].endsWith(`/${name.replace(/^.*\//, '')}/`),
  )
  if (inWindow(importer) && alias !== undefined) return alias
  return `${name}/`
}

function allowedIn(room, importer) {
  return [
    'its own files',
    ...room.rooms.map((name) => spelling(name, importer)),
    ...(room.files ?? []),
    ...(room.node ? ["Node's modules"] : []),
    ...(room.window ? ['the packages of the window (tools/lint/layer-table.js)'] : []),
    ...(room.packages ?? []),
    ...(room.typePackages ?? []).map((name) => `types of ${name} (import type)`),
  ].join(', ')
}

/** Why an own file may not be imported, or undefined if it may. */
function refusalOfFile(target, { importer, room, specifier }) {
  // Tools may: the demo is the main job of the tests, shown.
  if (target.startsWith('tests/') && !/^(tests|tools)\//.test(importer)) {
    return 'Nothing imports tests/: move what is shared into the layer that it belongs to.'
  }
  if (room === undefined) return undefined
  if (room.files?.includes(target)) return undefined
  const targetRoom = roomOf(target)
  if (targetRoom === undefined) return `${target} is in no layer.`
  const spelled = specifier.startsWith('#') ? undefined : byAlias(target, importer)
  const misspelled = spelled && `The window reaches ${targetRoom.name} by its alias: write '${spelled}'.`
  const feature = featureOf(importer)
  if (feature !== undefined && targetRoom === room && featureOf(target) !== feature) {
    return 'A feature never imports another feature: move what both use into shared/ (#shared/), ui/ (#ui/) or domain/ (#domain/).'
  }
  if (targetRoom === room) return misspelled
  if (!isWithin(targetRoom.name, room.rooms)) return `${target} is in ${targetRoom.name}.`
  return misspelled
}

/** Why a package or a module of Node may not be imported, or undefined if it may. */
function refusalOfPackage(specifier, { importer, room, typeOnly }) {
  if (room === undefined) return undefined
  if (isBuiltin(specifier)) {
    if (room.node) return undefined
    return inWindow(importer) ? 'The page has no Node.' : 'No Node here.'
  }
  const name = packageOf(specifier)
  if (isListed(name, room.packages) || isListed(specifier, room.packages)) return undefined
  if (room.window && isListed(name, windowPackages)) return undefined
  if (isListed(name, room.typePackages)) {
    return typeOnly ? undefined : `Only types of ${name} may be used here: write \`import type\`.`
  }
  const home = homes.find(([prefix]) => (prefix.endsWith('/') ? name.startsWith(prefix) : name === prefix))
  return home?.[1] ?? `${name} is not among the packages of this layer.`
}

/** Keeps the layers: every import is checked against the table in `layer-table.js`. */
export const layers = {
  meta: {
    type: 'problem',
    docs: { description: 'Imports keep to the layers of layer-table.js' },
    schema: [],
    messages: {
      refused: "{{room}} may not import '{{specifier}}'. {{why}} Allowed here: {{allowed}}. {{advice}}",
      tests: "'{{specifier}}' may not be imported here. {{why}}",
      homeless:
        '{{path}} is in no layer: move it into one, or add a row to tools/lint/layer-table.js (tools/lint/README.md says what else).',
    },
  },
  create(context) {
    const importer = fromTop(context.filename)
    const room = roomOf(importer)

    function check(node, typeOnly) {
      if (node?.type !== 'Literal' || typeof node.value !== 'string') return
      const specifier = node.value
      const target = ownFile(specifier, importer)
      const place = { importer, room, specifier, typeOnly }
      const why = target === undefined ? refusalOfPackage(specifier, place) : refusalOfFile(target, place)
      if (why === undefined) return
      if (room === undefined) context.report({ node, messageId: 'tests', data: { specifier, why } })
      else {
        const data = {
          room: room.name,
          specifier,
          why,
          allowed: allowedIn(room, importer),
          advice: room.advice,
        }
        context.report({ node, messageId: 'refused', data })
      }
    }

    return {
      Program(node) {
        if (room === undefined && /^src-(main|renderer)\//.test(importer)) {
          context.report({ node, messageId: 'homeless', data: { path: importer } })
        }
      },
      ImportDeclaration: (node) => check(node.source, node.importKind === 'type'),
      ExportNamedDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      ExportAllDeclaration: (node) => check(node.source, node.exportKind === 'type'),
      ImportExpression: (node) => check(node.source, false),
      TSImportType: (node) => check(node.source ?? node.argument?.literal, true),
      TSExternalModuleReference: (node) => check(node.expression, false),
      'CallExpression[callee.name="require"]': (node) => check(node.arguments[0], false),
    }
  },
}
