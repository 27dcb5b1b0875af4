import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'
import type Electron from 'electron'
import { app } from './app.ts'

const parentPort = fileURLToPath(new URL('./parent-port.mjs', import.meta.url))

/** What desktop/ uses of it. */
type Child = Pick<Electron.UtilityProcess, 'postMessage' | 'kill'> & EventEmitter

/** Electron's process for a module, as a Node of its own. */
export const utilityProcess = {
  fork: (
    modulePath: string,
    args: readonly string[] = [],
    { env = process.env }: { readonly env?: NodeJS.ProcessEnv } = {},
  ): Child => {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.')
    const child = fork(modulePath, args, {
      env,
      execArgv: ['--import', parentPort],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // Structured clone, where Node's own way is JSON.
      serialization: 'advanced',
    })
    const events = new EventEmitter()
    child.on('message', (message) => events.emit('message', message))
    child.on('exit', (code) => events.emit('exit', code ?? 1))
    // Nobody waits for it to end.
    child.unref()
    child.channel?.unref()
    return Object.assign(events, {
      postMessage: (message: unknown) => {
        if (child.connected) child.send(message as object)
      },
      kill: () => child.kill('SIGKILL'),
    })
  },
}
