import { join } from 'node:path'

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
