import { z } from 'zod'

/**
 * Whether the system starts Slipway when its user logs in. `needs-approval`: macOS waits for its user to allow it.
 * `not-installed`: this Slipway runs from its sources, and there's nothing to start. `flatpak`: it can't tell the desktop.
 */
export const startAtLogin = z.enum(['on', 'off', 'needs-approval', 'not-installed', 'flatpak'])
export type StartAtLogin = z.infer<typeof startAtLogin>
