import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { definitionFault, rentHints } from '../domain/jobs/definition-file.ts'
import { jobDefinition } from '../domain/jobs/job-definition.ts'
import { logHits, logPart } from '../domain/base/log-part.ts'
import { job, jobOrder, missingOutputs } from '../domain/jobs/job.ts'
import { accountProcedure, nothing, procedure } from './base.ts'

const one = z.object({ id: z.string().min(1).max(64) })

/** What a definition file says. `fault`: why it can't be used, in the path of the field. */
const readDefinition = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    folder: z.string(),
    definition: jobDefinition,
    /** How to rent for it; `null`: the file says nothing about that. */
    rent: rentHints.nullable(),
    /** Fields of the file that were left out. */
    unknown: z.array(z.string()).readonly(),
  }),
  z.object({ kind: z.literal('none'), folder: z.string() }),
  z.object({
    kind: z.literal('faulty'),
    folder: z.string(),
    fault: definitionFault,
    /** The field that doesn't fit, such as `send.exclude.0`; empty for the whole file. */
    path: z.string(),
  }),
])

/** A folder here, a command there, and what comes back. */
export const jobs = {
  /** The account's jobs, the newest first. */
  watch: procedure.output(eventIterator(z.array(job).readonly())),
  begin: accountProcedure.input(jobOrder).output(one),
  /** The same order once more, with what its rental asked for. Refused while the first one goes on. */
  repeat: accountProcedure.input(one).output(one),
  /**
   * Stops the command (TERM, then KILL), fetches what is there, and ends as `instance` says. Refused once the service was
   * asked to stop or destroy the instance.
   */
  cancel: procedure.input(one.extend({ instance: z.enum(['keep', 'stop', 'destroy']) })).output(nothing),
  /** Tries the step that failed again now. */
  retry: procedure.input(one).output(nothing),
  /** Goes on without these outputs, as they were shown (`fetch`, `verify`), and ends as the order says. Where more are missing, it asks again. */
  acceptMissing: procedure.input(one.extend({ missing: missingOutputs })).output(nothing),
  /** Ends a job at once, whatever it's at. Its instance is kept, and charged; one that is being rented for it is destroyed. */
  giveUp: procedure.input(one).output(nothing),
  /** Takes one that has ended off the list, with its log. Outputs stay. */
  forget: procedure.input(one).output(nothing),
  setNotifying: procedure.input(one.extend({ isOn: z.boolean() })).output(nothing),
  /** Follows the end of a log: the newest text, at most so many bytes of it. */
  watchLog: procedure.input(one).output(eventIterator(logPart)),
  /** A part of the log, for scrolling up; at most 256 KiB. */
  readLog: procedure
    .input(one.extend({ from: z.number().int().min(0), bytes: z.number().int().min(1).max(262_144) }))
    .output(logPart),
  /** Lines that have these characters, whatever their case: the first ones from a byte on, at most 200. */
  searchLog: procedure
    .input(one.extend({ text: z.string().min(1).max(200), from: z.number().int().min(0) }))
    .output(logHits),
  /** Asks where with the system's dialog, and writes the log there; `null` when the user leaves it. */
  saveLog: procedure.input(one).output(z.object({ path: z.string() }).nullable()),
  /** Shows the folder of outputs in the system's file manager. */
  showOutputs: procedure.input(one).output(nothing),
  /** Asks for the project's folder with the system's dialog, and reads its slipway.json; `null` when the user leaves it. */
  chooseFolder: procedure.output(readDefinition.nullable()),
  /** Asks for a definition file with the system's dialog; the project's folder is the one it's in. */
  openDefinition: procedure.output(readDefinition.nullable()),
  /** Of a folder that is known, such as one of a link. */
  readDefinition: procedure.input(z.object({ folder: z.string().min(1).max(4096) })).output(readDefinition),
  /** Writes slipway.json into the folder. Another one that is there is replaced only if `replaces`. */
  saveDefinition: procedure
    .input(
      z.object({
        folder: z.string().min(1).max(4096),
        definition: jobDefinition,
        rent: rentHints.nullable(),
        replaces: z.boolean(),
      }),
    )
    .output(z.object({ kind: z.enum(['saved', 'exists']) })),
}
