import { z } from 'zod'
import { shellFolder, shellWish } from './shell-wish.ts'
import { layout, terminalKey } from './terminal-layout.ts'

/** Beyond it terminals are not kept for the next start. */
export const mostSavedTerminals = 100

const text = z.string().max(400)

/** Which saved command is typed into a terminal's new shells: the one that is marked for all, none, or one of its own. */
const startChoice = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('snippet'), id: z.string().min(1).max(64) }),
])
export type StartChoice = z.infer<typeof startChoice>

export const defaultStart: StartChoice = { kind: 'default' }

/** A terminal as it is opened again at the next start. */
const savedTerminal = z.object({
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
  start: startChoice.default(defaultStart),
})
export type SavedTerminal = z.infer<typeof savedTerminal>

/** The terminals of one account as they stood: which, where, and the one that was worked in. */
export const terminalArrangement = z.object({
  terminals: z.array(savedTerminal).max(mostSavedTerminals).readonly(),
  layout: layout.nullable(),
  active: terminalKey.nullable(),
})
export type TerminalArrangement = z.infer<typeof terminalArrangement>

export const emptyArrangement: TerminalArrangement = { terminals: [], layout: null, active: null }

/** In UTF-16 units. */
export const longestSavedScreen = 512 * 1024

/** What a terminal showed, as text with its colors that a terminal of the same width shows again. */
export const savedScreen = z.object({
  cols: z.number().int().min(1).max(1000),
  rows: z.number().int().min(1).max(1000),
  text: z.string().max(longestSavedScreen),
})
export type SavedScreen = z.infer<typeof savedScreen>
