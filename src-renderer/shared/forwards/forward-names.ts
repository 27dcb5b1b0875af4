import { portWords } from '#domain/forwards/forward-name.ts'
import { instancePortOf, type Forward } from '#domain/forwards/forward.ts'
import type { OpenPort } from '#domain/forwards/open-port.ts'

/** With a capital at its beginning, as a title or a label has it. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What a button that forwards a port and opens it is called, such as "Open port 6006 (usually TensorBoard)". */
export function openPortLabel({ port, isJupyter }: Pick<OpenPort, 'port' | 'isJupyter'>): string {
  return isJupyter ? `Open Jupyter (port ${port})` : `Open ${portWords(port)}`
}

/** Whether a forward is wanted: it's on, on its way, or has failed. */
export function isWanted({ state }: Forward): boolean {
  return state.kind !== 'stopped'
}

/** Where a browser of this computer finds a forward, to be copied; `null` while it doesn't listen, or isn't local. */
export function browserAddressOf({ browserHost, plan, state }: Forward): string | null {
  if (browserHost === null || (state.kind !== 'open' && state.kind !== 'reconnecting')) return null
  return `http://${browserHost}:${plan.entrance.port}/`
}

/**
 * New ports that aren't forwarded, the newest first: neither those that a forward leads to, nor those that one has opened
 * on the instance.
 */
export function offeredPorts(ports: readonly OpenPort[], forwards: readonly Forward[]): readonly OpenPort[] {
  return unforwardedPorts(ports, forwards)
    .filter(({ isNew }) => isNew)
    .toReversed()
}

/** Ports of an instance that no forward that is wanted is about. */
export function unforwardedPorts(
  ports: readonly OpenPort[],
  forwards: readonly Forward[],
): readonly OpenPort[] {
  const taken = new Set(
    forwards
      .filter(isWanted)
      .map(({ plan }) => (plan.kind === 'remote' ? plan.entrance.port : instancePortOf(plan))),
  )
  return ports.filter(({ port }) => !taken.has(port))
}
