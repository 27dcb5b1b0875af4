import { z } from 'zod'

/** What keeps a shell going on the machine when its connection ends. */
export const sessionTools = ['tmux', 'screen'] as const
export type SessionTool = (typeof sessionTools)[number]

/** Of a session: what tmux (no `.`, no `:`) and screen both take, and what needs no quoting. */
export const sessionName = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,39}$/)

const session = sessionName

/** What runs in a terminal: a login shell, or a named session that is attached to, or made when there is none. */
export const shellWish = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plain') }),
  z.object({ kind: z.literal('tmux'), session }),
  z.object({ kind: z.literal('screen'), session }),
])
export type ShellWish = z.infer<typeof shellWish>

export const plainShell: ShellWish = { kind: 'plain' }

/**
 * A folder that a machine says its shell is in. The machine may say anything, and it becomes one quoted word of
 * a command there: so without what some shell reads even within single quotes (fish: backslash and quote; csh:
 * exclamation mark), and without what cannot be seen (controls, bidirectional marks, line separators).
 */
export const shellFolder = z
  .string()
  .max(1024)
  .regex(/^\/[^'\\!\p{C}\p{Zl}\p{Zp}]*$/u)

/**
 * The number of the control sequence (OSC) by which the machine tells that the session's program is missing, so that the
 * shell is a plain one. No other terminal gives it a meaning.
 */
export const sessionMissingOsc = 7710

/** That by which it tells, before a session shows itself, that there was none of its name and it is made now. */
export const sessionMadeOsc = 7711
