import { z } from 'zod'
import { shellFolder, shellWish } from './shell-wish.ts'
import { layout, terminalKey } from './terminal-layout.ts'

/** Beyond it terminals are not kept for the next start. */
export const mostKeptTerminals = 100

const text = z.string().max(400)

/** A terminal as it is opened again at the next start. */
const keptTerminal = z.object({
  key: terminalKey,
  instanceId: z.number().int(),
  /** What the user calls it; `null` leaves the word to the shell. */
  name: text.nullable(),
  /** What the shell called itself last. */
  title: text.nullable(),
  wish: shellWish,
  /** The machine had not what `wish` needs, so that its shell was a plain one. */
  isSessionMissing: z.boolean(),
  /** Where its shell was last, as that has told. */
  folder: shellFolder.nullable(),
})
export type KeptTerminal = z.infer<typeof keptTerminal>

/** The terminals of one account as they stood: which, where, and the one that was worked in. */
export const terminalDesk = z.object({
  terminals: z.array(keptTerminal).max(mostKeptTerminals).readonly(),
  layout: layout.nullable(),
  active: terminalKey.nullable(),
})
export type TerminalDesk = z.infer<typeof terminalDesk>

export const emptyDesk: TerminalDesk = { terminals: [], layout: null, active: null }

/** In UTF-16 units. */
export const longestKeptScreen = 512 * 1024

/** What a terminal showed, as text with its colours that a terminal of the same width shows again. */
export const keptScreen = z.object({
  cols: z.number().int().min(1).max(1000),
  rows: z.number().int().min(1).max(1000),
  text: z.string().max(longestKeptScreen),
})
export type KeptScreen = z.infer<typeof keptScreen>
