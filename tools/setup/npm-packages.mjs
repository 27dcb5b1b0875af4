import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const top = join(import.meta.dirname, '..', '..')
const lockFile = join(top, 'package-lock.json')
const installedFile = join(top, 'node_modules', '.package-lock.json')
const onWindows = process.platform === 'win32'

/** Runs `npm ci` unless what is installed is what package-lock.json asks for. */
export async function installNpmPackages({ say, fail }) {
  if (!isInstalled()) {
    const release = await takeTurn({ say })
    try {
      // Another setup may have done it while this one waited.
      if (!isInstalled()) runNpmCi({ say, fail })
    } finally {
      release()
    }
  }
  repairRunBits({ say })
}

/** Compares with the list that npm leaves in node_modules as the last act of an installation. */
function isInstalled() {
  if (!existsSync(installedFile)) return false
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  const wantedPaths = Object.keys(wanted).filter((path) => path !== '')
  // An optional package may be for another system.
  const complete = wantedPaths.every((path) => {
    const there = installed[path]
    if (there === undefined) return wanted[path].optional === true
    return there.version === wanted[path].version && there.integrity === wanted[path].integrity
  })
  return complete && Object.keys(installed).every((path) => path in wanted)
}

function runNpmCi({ say, fail }) {
  say('installing the npm packages (npm ci)')
  const startedMs = Date.now()
  // npm's own program, where npm runs this, so that no other npm on the PATH gets into it.
  const npm = process.env['npm_execpath']
  const [command, args] = npm?.endsWith('.js')
    ? [process.env['npm_node_execpath'] ?? process.execPath, [npm]]
    : ['npm', []]
  // NODE_ENV=production would leave out what builds and tests, and `npm --silent` the reason of a failure.
  const run = spawnSync(
    command,
    [...args, 'ci', '--include=dev', '--loglevel=warn', '--no-audit', '--no-fund'],
    {
      cwd: top,
      encoding: 'utf8',
      shell: onWindows && command === 'npm',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (run.error !== undefined) throw fail(`npm could not be started: ${run.error.message}`)
  if (run.status !== 0) throw fail(`npm ci failed:\n${run.stdout}${run.stderr}`)
  if (!isInstalled())
    throw fail('npm ci ended well, but node_modules is not what package-lock.json asks for.')
  say(`npm packages installed in ${((Date.now() - startedMs) / 1000).toFixed(0)} s`)
}

/**
 * One setup of this folder at a time: `npm ci` begins by deleting node_modules. The turn is a folder outside
 * of it, with the id of the process that has it; what a dead process left is taken over.
 */
async function takeTurn({ say }) {
  const name = createHash('sha256').update(top).digest('hex').slice(0, 16)
  const turn = join(tmpdir(), `slipway-setup-${name}`)
  const owner = join(turn, 'pid')
  let told = false
  for (;;) {
    try {
      mkdirSync(turn)
      writeFileSync(owner, String(process.pid))
      return () => rmSync(turn, { recursive: true, force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!(await isHeld(owner))) {
      rmSync(turn, { recursive: true, force: true })
      continue
    }
    if (!told) say('waiting for another setup of this folder')
    told = true
    await sleep(500)
  }
}

async function isHeld(owner) {
  // Between its two steps of taking the turn, its owner has not written its id yet.
  if (!existsSync(owner)) await sleep(1000)
  let pid
  try {
    pid = Number(readFileSync(owner, 'utf8'))
  } catch (error) {
    // It has just given the turn back, or ended before it had it.
    if (error.code === 'ENOENT') return false
    throw error
  }
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** An installation over a failed one can leave electron-vite's program without its run bit ("Permission denied"). */
function repairRunBits({ say }) {
  if (onWindows) return
  const program = join(top, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  try {
    accessSync(program, constants.X_OK)
  } catch {
    chmodSync(program, 0o755)
    say('electron-vite made executable again')
  }
}
