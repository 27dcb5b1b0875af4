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
  /** It took effect, was refused, or the user has let it go; without `action`, all that was asked of the instance. */
  z.object({
    kind: z.literal('ended'),
    instanceId: z.number().int(),
    action: actionKind.optional(),
    at: z.number(),
  }),
])
export type ActionEntry = z.infer<typeof actionEntry>
export type AskedAction = Extract<ActionEntry, { kind: 'asked' }>

/** What was asked of instances and has not ended, in the order in which it was asked: of each action the last one. */
export function openActions(entries: readonly ActionEntry[]): readonly AskedAction[] {
  let open: readonly AskedAction[] = []
  for (const entry of entries) {
    const { instanceId, action } = entry
    open = open.filter((each) => each.instanceId !== instanceId || each.action !== (action ?? each.action))
    if (entry.kind === 'asked') open = [...open, entry]
  }
  return open
}
