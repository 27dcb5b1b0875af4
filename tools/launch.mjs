// How Slipway is started here: `npm start`, the demo and the e2e tests all ask this file.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findElectron } from './setup/electron.mjs'

const top = join(import.meta.dirname, '..')
const double = join(top, 'tests', 'electron-on-chromium', 'electron-on-chromium.mjs')
const electronVite = join(top, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
const built = [
  'main/index.js',
  'preload/preload.cjs',
  'renderer/index.html',
  'licenses/packages.json',
  'licenses/LICENSES.txt',
].map((file) => join(top, 'out', file))
const sources = [
  'src-main',
  'src-renderer',
  'tools/licenses',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json',
]

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'])

/** Why Electron cannot be used here, as one line for the user; `null` when it can. */
function whyNotElectron() {
  const hidden = hasDisplay() ? '' : ' There is no display, so nothing of it is seen.'
  if (findElectron() === null)
    return `Electron's binary is not installed here (npx install-electron fetches it), so Slipway runs in Chromium.${hidden}`
  return hidden === '' ? null : `Electron needs a display, so Slipway runs in Chromium.${hidden}`
}

/**
 * What to run, with `env` added to the environment.
 *
 * @param {string} [folder] of the program, which is Slipway
 * @returns {{ host: 'electron' | 'chromium', command: string, args: string[], env: Record<string, string>, note: string | null }}
 *   `note` says why it is not Electron
 */
export function launchCommand(folder = top) {
  const note = whyNotElectron()
  const electron = findElectron()
  if (note === null && electron !== null)
    return { host: 'electron', command: electron, args: [...electronSwitches(), folder], env: {}, note }
  return { host: 'chromium', command: process.execPath, args: [double, folder], env: {}, note }
}

/** Chromium's sandbox does not work for root. */
function electronSwitches() {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

/**
 * electron-vite's development server, which starts what stands at ELECTRON_EXEC_PATH.
 *
 * @returns {{ host: 'electron' | 'chromium', command: string, args: string[], env: Record<string, string>, note: string | null }}
 */
export function developmentCommand() {
  const { host, command, note } = launchCommand()
  return {
    host,
    command: process.execPath,
    args: [
      electronVite,
      'dev',
      '--watch',
      '--sourcemap',
      ...(electronSwitches().length > 0 ? ['--noSandbox'] : []),
    ],
    env: {
      ELECTRON_EXEC_PATH: host === 'electron' ? command : double,
      // The double is started by its first line, which asks PATH for the Node that runs this.
      PATH: [join(process.execPath, '..'), process.env['PATH']].join(delimiter),
    },
    note,
  }
}

/** Builds when there is no build, or something has changed since. @throws Error when that fails */
export async function ensureBuilt() {
  if (isBuildCurrent()) return
  console.log('Building Slipway')
  const child = spawn(process.execPath, [electronVite, 'build', '--logLevel', 'warn'], {
    cwd: top,
    stdio: 'inherit',
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
  if (code !== 0) throw new Error(`The build failed with exit code ${code}`)
}

function isBuildCurrent() {
  if (!built.every((file) => existsSync(file))) return false
  const oldestBuilt = Math.min(...built.map((file) => statSync(file).mtimeMs))
  return sources.every((source) => newestIn(join(top, source)) <= oldestBuilt)
}

/** When something in a folder last changed; a folder's own time tells of files that were removed. */
function newestIn(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))))
}
