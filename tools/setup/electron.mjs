import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '..', '..', 'node_modules')
const electron = join(modules, 'electron')
/** Left behind by a download that failed, so that the next start does not wait for it again; `npm ci` clears it. */
const failedMark = join(modules, '.slipway-no-electron')

/** Where Electron's binary is, or `null`: the npm package is only its typings and a downloader. */
export function findElectron() {
  const pathFile = join(electron, 'path.txt')
  if (!existsSync(pathFile)) return null
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(electron, 'dist')
  const binary = join(folder, readFileSync(pathFile, 'utf8').trim())
  return existsSync(binary) ? binary : null
}

/** Whether Electron's binary is on this machine. */
export function hasElectron() {
  return findElectron() !== null
}

/** Downloads Electron's binary once, where that works. Without it the app runs on Chromium. */
export function fetchElectron({ say }) {
  if (hasElectron() || existsSync(failedMark)) return
  say("downloading Electron's binary")
  const run = spawnSync(process.execPath, [join(electron, 'install.js')], {
    encoding: 'utf8',
    timeout: 300_000,
  })
  if (run.status === 0 && hasElectron()) return
  writeFileSync(failedMark, '')
  const reason = /\w*Error: .*/.exec(run.stderr ?? '')?.[0] ?? 'no answer'
  say(`Electron's binary cannot be downloaded here (${reason}); \`npx install-electron\` tries again`)
}
