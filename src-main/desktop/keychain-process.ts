import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { app, utilityProcess } from 'electron'

/** Built, it lies beside the rest of main under its own name (electron.vite.config.ts). */
const hostFile = fileURLToPath(new URL('./keychain-host.js', import.meta.url))

/** A process of Slipway's own that is spoken to in messages. */
export interface HelperProcess {
  readonly send: (message: unknown) => void
  /** Everything that it says. */
  readonly onMessage: (listen: (message: unknown) => void) => void
  /** Resolves with how it ended. */
  readonly ended: Promise<string>
  readonly kill: () => void
}

const deadlineMs = 5000

/**
 * Starts the process in which the keychain's library is.
 *
 * @param service under which its entries are
 * @throws Error when it does not say that it is ready
 */
export async function startKeychainProcess(service: string): Promise<HelperProcess> {
  await app.whenReady()
  const { env } = process
  const bus = findSessionBus({ env, exists: existsSync })
  const child = utilityProcess.fork(hostFile, [`--service=${service}`], {
    serviceName: 'Slipway keychain',
    stdio: 'ignore',
    ...(bus !== null && { env: { ...env, DBUS_SESSION_BUS_ADDRESS: bus } }),
  })
  const ended = new Promise<string>((resolve) => child.once('exit', (code) => resolve(`code ${code}`)))
  const ready = new Promise<'ready'>((resolve) => child.once('message', () => resolve('ready')))
  const first = await Promise.race([ready, ended, sleep(deadlineMs, 'no word from it', { ref: false })])
  if (first !== 'ready') {
    child.kill()
    throw new Error(`The keychain's process could not be started (${first}).`)
  }
  return {
    send: (request) => child.postMessage(request),
    onMessage: (listen) => void child.on('message', listen),
    ended,
    kill: () => void child.kill(),
  }
}

/** Where it is looked for a bus. */
export interface SessionBusPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether there is a file of this path. */
  readonly exists: (path: string) => boolean
}

/** What Chromium puts where its environment names no bus, so that D-Bus starts none of its own. */
const none = 'disabled:'

/**
 * The address of the desktop session's D-Bus where the environment names none, as under Sway or after startx: systemd
 * has it at a known place, where every other program finds it. `null` where one is named, or there is none.
 */
export function findSessionBus({ env, exists }: SessionBusPlace): string | null {
  const named = env['DBUS_SESSION_BUS_ADDRESS'] ?? ''
  const runtimeFolder = env['XDG_RUNTIME_DIR'] ?? ''
  if ((named !== '' && named !== none) || runtimeFolder === '') return null
  const socket = join(runtimeFolder, 'bus')
  return exists(socket) ? `unix:path=${socket}` : null
}
