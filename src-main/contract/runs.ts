import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { run, runOrder, runOutput, snippetsFile } from '../domain/runs/run.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string().min(1).max(64) })
const place = one.extend({ instanceId: z.number().int() })

/** One command on several instances at once, and commands kept for another time. */
export const runs = {
  /** The last one that was ordered; `null` when there was none. */
  watch: procedure.output(eventIterator(run.nullable())),
  /** Refused while the one before goes on somewhere. */
  start: accountProcedure.input(runOrder).output(one),
  /** Once more on one instance where it is over. */
  again: procedure.input(place).output(nothing),
  /** Whether a notification tells, once, when the command has ended on all of them. */
  notifyWhenDone: procedure.input(one.extend({ isOn: z.boolean() })).output(nothing),
  stop: procedure.input(one.extend({ instanceId: z.number().int().nullable() })).output(nothing),
  watchOutput: procedure.input(place).output(eventIterator(runOutput)),
  /** All that is kept of an output. */
  text: procedure.input(place).output(z.string()),
  /** Writes all outputs into a folder of the user's home, and tells which. */
  save: procedure.input(one).output(z.object({ folder: z.string() })),
  watchSnippets: procedure.output(eventIterator(snippetsFile)),
  keepSnippet: procedure.input(runOrder.pick({ command: true })).output(nothing),
  /** The one that is typed into each new shell of a terminal; `null` for none. */
  setSnippetAtStart: procedure.input(z.object({ id: one.shape.id.nullable() })).output(nothing),
  removeSnippet: procedure.input(one).output(nothing),
}
