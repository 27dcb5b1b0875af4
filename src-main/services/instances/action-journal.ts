import { z } from 'zod'
import { actionKind } from '../../domain/instances/instance.ts'

/**
 * What was asked of instances, written down so that a later run still sees whether it took effect: someone who
 * destroys a machine and quits must not find out from the bill that the request was lost.
 */
export const actionEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('asked'),
    instanceId: z.number().int(),
    action: actionKind,
    /** Milliseconds since the epoch. */
    at: z.number(),
  }),
  /** It took effect, was refused, or the user has let it go. */
  z.object({ kind: z.literal('ended'), instanceId: z.number().int(), at: z.number() }),
])
export type ActionEntry = z.infer<typeof actionEntry>
export type AskedAction = Extract<ActionEntry, { kind: 'asked' }>

/** What was asked last of each instance and has not ended. */
export function openActions(entries: readonly ActionEntry[]): AskedAction[] {
  const open = new Map<number, AskedAction>()
  for (const entry of entries) {
    if (entry.kind === 'asked') open.set(entry.instanceId, entry)
    else open.delete(entry.instanceId)
  }
  return [...open.values()]
}
