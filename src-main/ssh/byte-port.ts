import { terminalMessage, type TerminalMessage } from '../contract/terminal-port.ts'

/** A MessagePort, as far as a terminal needs one. */
export interface BytePort {
  readonly postMessage: (value: unknown) => void
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  readonly start: () => void
  readonly close: () => void
}

/** The message, or `null` for anything that the contract does not know. */
export function parseTerminalMessage(data: unknown): TerminalMessage | null {
  const parsed = terminalMessage.safeParse(data)
  return parsed.success ? parsed.data : null
}
