// Starts Slipway: `npm start`, or `npm run dev` with hot reload. In Electron, or where its binary is missing in
// Chromium, and then it says so.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { developmentCommand, ensureBuilt, launchCommand } from './launch.mjs'

const isDevelopment = process.argv.includes('--dev')
if (!isDevelopment) await ensureBuilt()
const { command, args, env, note } = isDevelopment ? developmentCommand() : launchCommand()
if (note !== null) console.log(note)

const child = spawn(command, args, {
  cwd: join(import.meta.dirname, '..'),
  env: { ...process.env, ...env },
  stdio: 'inherit',
})
// Ctrl+C reaches the whole group of processes by itself; what is sent to this one alone is passed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
process.on('SIGINT', () => undefined)
child.once('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1)
})
