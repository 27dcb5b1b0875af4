import { z } from 'zod'

/**
 * What crosses a terminal's own MessagePort.
 *
 * main → window: a `Uint8Array` with a piece of the shell's output, exactly as it came.
 * window → main: these messages. `taken` is cumulative: how many bytes of output the screen's parser has
 * taken since the port was opened. It is the credit that lets the server send more (SSH channel window),
 * so it is also given for bytes that were thrown away. `command-ended` is what the shell says of itself (OSC 133;D), and
 * told only while its user waits for that: anything that writes on the screen can send it.
 */
export const terminalMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('input'), data: z.string().max(10_000_000) }),
  z.object({ kind: z.literal('taken'), bytes: z.number().int().min(0) }),
  z.object({ kind: z.literal('command-ended'), code: z.number().int().min(0).max(255).nullable() }),
])
export type TerminalMessage = z.infer<typeof terminalMessage>
