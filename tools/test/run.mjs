import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { delimiter, join } from 'node:path'

/** The project's top folder. */
export const top = join(import.meta.dirname, '..', '..')

const modules = join(top, 'node_modules')
const onWindows = process.platform === 'win32'
/** By Linux's weights, a third of the usual share: with less, lint isn't done before the tests are. */
const lowPriority = 5
/** What runs now, so that nothing outlives this program. */
const running = new Set()

/** The command of an npm package's program, run by the Node that runs this. */
export const program = (path) => [process.execPath, join(modules, path)]

/**
 * Runs a command to its end and keeps what it prints. A run over `limitMs` is ended together with everything
 * it started, and is not ok.
 * One that `givesWay` has a third of what each other command has of the processor, and what they leave.
 */
export function run([command, ...args], { limitMs, environment = {}, givesWay = false }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: top,
      // A group of its own, so that it can be ended whole.
      detached: !onWindows,
      env: {
        ...process.env,
        PATH: [join(modules, '.bin'), process.env['PATH']].join(delimiter),
        FORCE_COLOR: undefined,
        NO_COLOR: '1',
        // Node keeps what it has compiled: an app that a test starts takes a quarter of a second less.
        NODE_COMPILE_CACHE: join(top, 'out', 'cache', 'node'),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    if (givesWay && child.pid !== undefined) giveWay(child.pid)
    const pieces = []
    child.stdout.on('data', (piece) => pieces.push(piece))
    child.stderr.on('data', (piece) => pieces.push(piece))
    let late = false
    const timer = setTimeout(() => {
      late = true
      end(child)
    }, limitMs)
    const finish = (ok, note) => {
      clearTimeout(timer)
      running.delete(child)
      const output = Buffer.concat(pieces).toString('utf8')
      resolve({
        ok: ok && !late,
        output: `${output}${late ? `\n(ended after ${limitMs / 1000} s)` : ''}${note}`,
      })
    }
    child.once('error', (error) => finish(false, `\n(${error.message})`))
    child.once('close', (code, signal) => finish(code === 0, signal === null ? '' : `\n(ended by ${signal})`))
  })
}

/** Linux shares the processor among sessions, where it groups them, and by priority only within one: each command is one. */
function giveWay(pid) {
  setPriority(pid, lowPriority)
  const group = `/proc/${pid}/autogroup`
  if (existsSync(group)) writeFileSync(group, String(lowPriority))
}

function end(child) {
  if (onWindows) child.kill()
  else process.kill(-child.pid, 'SIGKILL')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) end(child)
    process.kill(process.pid, signal)
  })
}
