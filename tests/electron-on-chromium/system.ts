import { setTimeout as sleep } from 'node:timers/promises'
import { Preventable } from './prevention.ts'

interface Emitter {
  readonly emit: (name: string, event: unknown) => unknown
}

/** The system around the double: this one. Tests of what Electron does on another set it, and what death is. */
export const system: { platform: NodeJS.Platform; isSigned: boolean; kill: () => void } = {
  platform: process.platform,
  /** Whether the program is; macOS keeps notifications from one that is not. */
  isSigned: true,
  kill: () => process.kill(process.pid, 'SIGKILL'),
}

/** As long as logind waits for whoever delays a shutdown, if nothing else is set (InhibitDelayMaxSec). */
const delayMs = 5_000

/** The system shuts down: who does not delay that is gone at once, and who does, soon after. `null`: nobody listens. */
export function shutDown(powerMonitor: Emitter | null): void {
  const event = new Preventable()
  powerMonitor?.emit('shutdown', event)
  // On macOS the program is told to quit, as its user does it.
  if (system.platform === 'darwin') return
  if (!event.defaultPrevented) system.kill()
  else void sleep(delayMs, undefined, { ref: false }).then(() => system.kill())
}

/** Windows ends its session: it asks first, and who has let it go on is killed as soon as it was told. */
export function endSession(window: Emitter): void {
  const question = Object.assign(new Preventable(), { reasons: ['shutdown'] })
  window.emit('query-session-end', question)
  if (question.defaultPrevented) return
  window.emit('session-end', Object.assign(new Preventable(), { reasons: ['shutdown'] }))
  system.kill()
}
