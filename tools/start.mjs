// Starts Slipway: `npm start`, or `npm run dev` with hot reload. In Electron, or where its binary is missing in
// Chromium, and then it says so. `npm run dev -- --demo` is on a simulated service, with an account that is connected.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { developmentCommand, ensureBuilt, launchCommand } from './launch.mjs'

const top = join(import.meta.dirname, '..')
const isDevelopment = process.argv.includes('--dev')
const isDemo = process.argv.includes('--demo')

/** Resolves with its exit code, or the signal that ended it. */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
}

/** Runs this in what it is to be pointed at, and passes on how it ends. */
async function start(environment) {
  if (!isDevelopment) await ensureBuilt()
  const { command, args, env, note } = isDevelopment ? developmentCommand() : launchCommand()
  if (note !== null) console.log(note)
  const child = spawn(command, args, {
    cwd: top,
    env: { ...process.env, ...environment, ...env },
    stdio: 'inherit',
  })
  // Ctrl+C reaches the whole group of processes by itself; what is sent to this one alone is passed on.
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.on('SIGINT', () => undefined)
  const end = await ended(child)
  process.exitCode = typeof end === 'number' ? end : 1
}

/** The service, its machines, the keychain and the data folder are the demo's own, and end with it. */
async function startDemo() {
  const setup = spawn(process.execPath, [join(import.meta.dirname, 'setup.mjs'), '--for=demo'], {
    stdio: 'inherit',
  })
  if ((await ended(setup)) !== 0) {
    process.exitCode = 1
    return
  }
  const { startDemoEnvironment } = await import('../tests/e2e/support/demo-environment.ts')
  const { service, env, end } = await startDemoEnvironment()
  console.log(`A simulated service with a connected account: ${service.baseUrl}, API key ${service.key}`)
  try {
    await start(env)
  } finally {
    await end()
  }
}

await (isDemo ? startDemo() : start({}))
