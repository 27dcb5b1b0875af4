import { readFileSync } from 'node:fs'

/**
 * Who may import whom, as data. `layers.js` enforces it.
 *
 * @typedef {object} Room A part of the tree whose files share one row of the table.
 * @property {string} name How messages call it.
 * @property {RegExp} path Which files are in it, as paths from the project's top. The first room that fits counts.
 * @property {readonly string[]} rooms Names of the rooms that it may import from, besides itself; `services` stands for
 *   each of its areas.
 * @property {readonly string[]} [files] Single files of other rooms that it may import.
 * @property {readonly string[]} [packages] Packages that it may import; `@scope/*` stands for all of a scope, `a/b` for a part of a package.
 * @property {readonly string[]} [typePackages] Packages of which it may import types only.
 * @property {boolean} [window] Whether the packages of the window are among them.
 * @property {boolean} [node] Whether it may import Node's own modules.
 * @property {string} advice What to do instead of an import that is refused.
 */

const takeAsArgument = 'Take what else you need as an argument: app/ puts the services together.'

/**
 * An area of the services: rules with I/O.
 *
 * @param {string} area Its folder in services/.
 * @param {Partial<Room> & { areas?: readonly string[] }} [own] What it may import that the others may not; `areas`
 *   are other areas.
 * @returns {Room}
 */
const service = (area, { areas = [], packages = [], ...own } = {}) => ({
  name: `services/${area}`,
  path: new RegExp(`^src-main/services/${area}/`),
  rooms: ['domain', ...['storage', 'rental-api', ...areas].map((name) => `services/${name}`)],
  // zod parses what comes in from outside: replies, files, the keychain's index.
  packages: ['zod', ...packages],
  advice: takeAsArgument,
  ...own,
})

/** What shares a connection: it is told by ssh2's types, and spoken by services/ssh/. */
const overSsh = { areas: ['ssh'], node: true, typePackages: ['ssh2'] }

const services = [
  service('storage', { rooms: ['domain'], node: true, packages: ['write-file-atomic', 'electron-log/node'] }),
  service('rental-api', { rooms: ['domain'], node: true, packages: ['p-retry'] }),
  service('accounts', { node: true }),
  service('offers'),
  service('instances'),
  service('renting', { areas: ['instances'] }),
  // Its scripts on instances are brought there over SSH.
  service('guards', { areas: ['instances', 'ssh'], node: true }),
  // The folder of its months is listed, and a CSV file is written where the user wants it.
  service('spending', { areas: ['instances'], node: true }),
  service('last-seen'),
  service('notifications'),
  service('ssh', { node: true, packages: ['ssh2', 'ssh-config'] }),
  service('terminals', overSsh),
  service('files', { ...overSsh, packages: ['ssh2', 'ignore'], typePackages: [] }),
  service('forwards', overSsh),
  service('runs', overSsh),
  // Its script is brought there over SSH.
  service('figures', { ...overSsh, areas: ['instances', 'ssh'] }),
  // Its script is brought there over SSH, and what is in the way of files is told as in transfers.
  service('jobs', { areas: ['instances', 'ssh', 'files'], node: true }),
  service('templates'),
  service('cloud'),
  service('vault', { node: true, packages: ['keytar', 'otplib', 'qr'] }),
  service('two-factor', { areas: ['vault'] }),
  // It reads and writes the file that settings are taken to another computer in.
  service('settings', { node: true }),
  service('updates', { node: true }),
  service('diagnostics', { node: true }),
  service('workbench'),
]

/** Packages of the window: Vue's world and what draws. Not here: whatever talks to the machine or the network. */
export const windowPackages = [
  'vue',
  'vue-router',
  'pinia',
  '@nuxt/ui',
  '@vueuse/*',
  '@tanstack/*',
  'reka-ui',
  'tailwindcss',
  '@iconify-json/lucide',
  '@fontsource-variable/*',
  '@xterm/*',
  'echarts',
  'vue-echarts',
  'qr',
  // Readmes of templates.
  'markdown-it',
  'dompurify',
  'diff',
  // Text files of instances, edited.
  '@codemirror/*',
  '@lezer/*',
  'zod',
]

const windowRoom = (name, path, rooms, advice, packages = []) => ({
  name,
  path,
  rooms: ['domain', ...rooms],
  packages,
  window: true,
  advice,
})

/** @type {readonly Room[]} */
export const rooms = [
  {
    name: 'domain',
    path: /^src-main\/domain\//,
    rooms: [],
    packages: ['zod'],
    advice:
      'It holds pure rules that main and window share: whatever does I/O belongs in a service, which calls them.',
  },
  {
    name: 'contract',
    path: /^src-main\/contract\//,
    rooms: ['domain'],
    packages: ['zod', '@orpc/contract'],
    advice:
      'It only says what crosses between window and main: what is done on a call belongs in ipc/ or a service.',
  },
  ...services,
  {
    name: 'ipc',
    path: /^src-main\/ipc\//,
    rooms: ['contract', 'domain', 'services'],
    packages: ['@orpc/*'],
    advice: 'It only maps the contract to services: what they need is handed to them in app/.',
  },
  {
    name: 'desktop',
    path: /^src-main\/desktop\//,
    rooms: ['app', 'contract', 'domain'],
    files: ['src-main/ipc/message-port.ts'],
    // zod parses the file with the window's place, and what the build says of updates.
    packages: ['electron', 'electron-updater', 'zod'],
    node: true,
    advice: 'It is the shell around the app: it reaches the services through app/ only.',
  },
  {
    name: 'index.ts',
    path: /^src-main\/index\.ts$/,
    rooms: ['app', 'desktop', 'contract', 'domain'],
    // The one thing of a service that is chosen here: which keychain createApp() gets.
    files: ['src-main/services/vault/keychain/open-keychain.ts'],
    packages: ['electron'],
    node: true,
    advice: "It holds Electron's life cycle and calls createApp(): what is composed belongs in app/.",
  },
  {
    name: 'preload.ts',
    path: /^src-main\/preload\.ts$/,
    rooms: [],
    files: ['src-main/contract/port-channel.ts'],
    packages: ['electron'],
    advice: 'It hands over ports and the paths of dropped files, and does nothing else.',
  },
  {
    // The composition: create-app.ts, and what it is made of.
    name: 'app',
    path: /^src-main\/app\//,
    rooms: ['domain', 'ipc', 'services'],
    node: true,
    advice: 'What comes from Electron is an argument of createApp().',
  },
  windowRoom(
    'src-renderer/ipc',
    /^src-renderer\/ipc\//,
    ['contract'],
    'It only knows the port: what shows the replies belongs in a feature.',
    ['@orpc/*'],
  ),
  windowRoom(
    'src-renderer/ui',
    /^src-renderer\/ui\//,
    ['src-renderer/ipc'],
    'It knows no area: what several pages show of one belongs in shared/, what one page alone needs in it.',
  ),
  windowRoom(
    'src-renderer/shared',
    /^src-renderer\/shared\/[^/]+\//,
    ['src-renderer/ui', 'src-renderer/ipc'],
    'It serves several pages and knows none of them: what one page alone needs belongs there.',
  ),
  windowRoom(
    'src-renderer/features',
    /^src-renderer\/features\/[^/]+\//,
    ['src-renderer/shared', 'src-renderer/ui', 'src-renderer/ipc'],
    'What main has to do is a call in contract/, made through #ipc/.',
  ),
  // What is around the pages: entry, App.vue, router, and workbench/ with rail, bar, banners and palette.
  windowRoom(
    'src-renderer',
    /^src-renderer\/(workbench\/.*|[^/]+)$/,
    ['src-renderer/shared', 'src-renderer/ui', 'src-renderer/ipc', 'src-renderer/features'],
    'What main has to do is a call in contract/, made through #ipc/.',
  ),
]

const { imports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The short names of folders, from `imports` of package.json: `#domain/` is `src-main/domain/`. */
export const aliases = Object.fromEntries(
  Object.entries(imports).map(([name, path]) => [
    name.replace(/\*$/, ''),
    path.replace(/^\.\//, '').replace(/\*$/, ''),
  ]),
)
