import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { addressKind } from '../ssh/ssh-choice.ts'
import { editor } from './editor-link.ts'
import { actionKind } from './instance.ts'

/** By more than its status, which may tell of a crash by itself (`outlookOf`). */
const isStopped = z.literal(true).optional()

/** Something that Slipway saw of an instance, or did with it. */
const activityEvent = z.discriminatedUnion('kind', [
  /** It was in the list for the first time. */
  z.object({ kind: z.literal('appeared'), status: z.string().nullable(), isStopped }),
  z.object({ kind: z.literal('rented'), offerId: z.number().int() }),
  z.object({
    kind: z.literal('status'),
    from: z.string().nullable(),
    to: z.string().nullable(),
    isStopped,
  }),
  /** An address for SSH, `host:port`; `null` when the service lists it no more. Earlier versions didn't note which. */
  z.object({ kind: z.literal('address'), of: addressKind.optional(), address: z.string().nullable() }),
  /** The list has it no more. `asked` tells whether Slipway had asked for that. */
  z.object({ kind: z.literal('gone'), asked: z.boolean() }),
  /** By the user, or by a guard or an auto-retry that the user had set. */
  z.object({ kind: z.literal('asked'), action: actionKind, by: z.enum(['user', 'caretaker']) }),
  /** The service certainly did not do it. */
  z.object({ kind: z.literal('refused'), action: actionKind, problem }),
  /** No good answer came; the list tells. */
  z.object({ kind: z.literal('unclear'), action: actionKind, problem }),
  z.object({ kind: z.literal('terminal-opened') }),
  /** From the page that runs commands. Not which: it may hold secrets. */
  z.object({ kind: z.literal('command-run') }),
  /** A folder of it. */
  z.object({ kind: z.literal('editor-opened'), editor }),
  /** What earlier versions noted, which knew one editor. */
  z
    .object({ kind: z.literal('vscode-opened') })
    .transform(() => ({ kind: 'editor-opened', editor: 'vscode' }) as const),
  /** A port of its container, opened in the browser. */
  z.object({ kind: z.literal('port-opened'), port: z.number().int() }),
])
export type ActivityEvent = z.infer<typeof activityEvent>

export const activityEntry = z.object({
  /** Milliseconds since the epoch. */
  at: z.number(),
  event: activityEvent,
})
export type ActivityEntry = z.infer<typeof activityEntry>
