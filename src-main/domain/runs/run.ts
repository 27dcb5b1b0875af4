import { z } from 'zod'
import { connectionFailure } from '../ssh/ssh-connection.ts'
import { sshProblem } from '../ssh/ssh.ts'

/** One command for several instances at once. */
export const runOrder = z.object({
  instanceIds: z.array(z.number().int()).min(1).max(64).readonly(),
  /** Given to the login shell of each, which may be any. */
  command: z
    .string()
    .max(32_768)
    .refine((text) => text.trim() !== '' && !text.includes('\0')),
})
export type RunOrder = z.infer<typeof runOrder>

/** Where the command stands on one instance. */
const runPhase = z.discriminatedUnion('kind', [
  /** The connection is being made; what it asks its user, it tells itself. */
  z.object({ kind: z.literal('connecting') }),
  /** `since` and `until` are milliseconds since the Unix epoch. */
  z.object({ kind: z.literal('running'), since: z.number() }),
  z.object({
    kind: z.literal('exited'),
    since: z.number(),
    until: z.number(),
    /** `null` when a signal ended it, or nobody said how it ended. */
    code: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  /** Nothing was run. */
  z.object({ kind: z.literal('not-connected'), failure: connectionFailure }),
  /** The link is lost, or its channel: whether the command goes on there is not known. */
  z.object({ kind: z.literal('lost'), problem: sshProblem }),
  /** By the user. What did not end although it was told to may be running there. */
  z.object({ kind: z.literal('stopped'), left: z.enum(['not-begun', 'ended', 'maybe-running']) }),
])
export type RunPhase = z.infer<typeof runPhase>

export const run = z.object({
  id: z.string(),
  command: z.string(),
  /** When it was ordered, milliseconds since the Unix epoch. */
  orderedAt: z.number(),
  places: z.array(z.object({ instanceId: z.number().int(), phase: runPhase })).readonly(),
  /** A notification tells once when it has ended everywhere. */
  notifies: z.boolean(),
})
export type Run = z.infer<typeof run>

/** What the command wrote on one instance, the newest end of it, in the order in which it came. */
export const runOutput = z.object({
  pieces: z.array(z.object({ stream: z.enum(['out', 'error']), text: z.string() })).readonly(),
  /** So many characters came before and are not among the pieces. */
  omitted: z.number(),
})
export type RunOutput = z.infer<typeof runOutput>

/** A command that is kept for another time. */
const snippet = z.object({
  id: z.string(),
  command: z.string(),
  /** Typed into each new shell of a terminal; of all snippets one at most. */
  atStart: z.boolean().default(false),
})
export type Snippet = z.infer<typeof snippet>
export const snippetsFile = z.array(snippet).readonly()
/** Beyond it the oldest one goes that isn't typed at start. */
export const mostSnippets = 100

/** Whether nothing more happens there by itself. */
export function isRunOver({ kind }: RunPhase): boolean {
  return kind !== 'connecting' && kind !== 'running'
}
