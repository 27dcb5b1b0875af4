import { usualUse } from '#domain/forwards/forward-name.ts'
import type { OpenPort } from '#domain/forwards/open-port.ts'
import { formatNumber } from '#ui/format.ts'

/** What the status line says of new ports. @param count how many there are, this one among them */
export function portOfferText(
  { port, isJupyter }: Pick<OpenPort, 'port' | 'isJupyter'>,
  count: number,
): string {
  const use = usualUse(port)
  const more = count > 1 ? `, and ${formatNumber(count - 1)} more` : ''
  if (isJupyter) return `Jupyter is open on port ${port}${more}`
  return `Port ${port} is open${use === null ? '' : ` (usually ${use})`}${more}`
}

/** @param count how many are dismissed */
export function dismissLabel(port: number, count: number): string {
  return count === 1 ? `Dismiss port ${port}` : `Dismiss ${formatNumber(count)} ports`
}

/** What a click on an address of the instance's own does. */
export function localLinkMeaning(port: number, instanceId: number): string {
  return `Forwards port ${port} of instance ${instanceId} and opens it`
}

/** Why an address of the instance's own isn't opened. */
export const notConnectedNote = 'Reconnect this terminal first to open its instance’s ports'

export const localLinkHelp =
  'In the terminal’s text, localhost is the instance. The address opens in your browser through a port forward.'

export function openingNote(port: number): string {
  return `Opening port ${port}…`
}
