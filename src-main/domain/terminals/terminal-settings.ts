import { z } from 'zod'
import { sessionTools } from './shell-wish.ts'

export const cursorStyles = ['block', 'bar', 'underline'] as const

/** How terminals look, and how much they remember. */
export const terminalSettings = z.object({
  /** A font of this computer by its family; empty for the one that Slipway brings along. */
  fontFamily: z
    .string()
    .max(100)
    .regex(/^[^"\\\p{C}]*$/u)
    .default(''),
  /** In CSS pixels. */
  fontSize: z.int().min(8).max(32),
  cursor: z.enum(cursorStyles),
  /** Lines above the screen. A thousand cost about 2 MB; above 10,000 drawing slows down. */
  scrollbackLines: z.int().min(0).max(50_000),
  /** Whether what they showed is kept on this machine for the next start. */
  keepScreens: z.boolean().default(true),
  /** Whether those of the last time connect as soon as they are shown, and not when the user asks for it. */
  connectAtStart: z.boolean().default(false),
  /** Whether shells and commands are told the user's language and locale. */
  sendLocale: z.boolean().default(true),
  /** Whether ports that open on an instance are offered to be forwarded. */
  offersPorts: z.boolean().default(true),
  /** What runs in a new terminal. */
  newShell: z.enum(['plain', ...sessionTools]).default('plain'),
})
export type TerminalSettings = z.infer<typeof terminalSettings>

export const defaultTerminalSettings: TerminalSettings = {
  fontFamily: '',
  fontSize: 13,
  cursor: 'block',
  scrollbackLines: 5_000,
  keepScreens: true,
  connectAtStart: false,
  sendLocale: true,
  offersPorts: true,
  newShell: 'plain',
}
