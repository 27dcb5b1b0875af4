import { z } from 'zod'
import { crashDumps } from '../domain/diagnostics/crash-dump.ts'
import { diagnostics as report } from '../domain/diagnostics/diagnostics.ts'
import { licenseList } from '../domain/diagnostics/licenses.ts'
import { resetPart } from '../domain/diagnostics/reset.ts'
import { nothing, procedure } from './base.ts'

/** Whether the service's and the machines' addresses may be told. */
const addresses = z.object({ withAddresses: z.boolean() })

export const diagnostics = {
  read: procedure.input(addresses).output(report),
  /** In the system's file manager. */
  show: procedure.input(z.object({ what: z.enum(['data', 'log', 'crash-dumps']) })).output(nothing),
  /** What crashes left on this computer. Their content goes nowhere; they are no part of the report and the saved log. */
  crashDumps: procedure.output(crashDumps),
  deleteCrashDumps: procedure.output(nothing),
  /** The whole log, where the user says; `false`: nowhere. */
  saveLog: procedure.input(addresses).output(z.object({ saved: z.boolean() })),
  /** Writes down what is to be reset, and quits; it is done at the next start. `typed` as `resetWord` says. */
  reset: procedure
    .input(z.object({ parts: z.array(resetPart).min(1).max(10).readonly(), typed: z.string().max(100) }))
    .output(nothing),
  /** Takes back a reset that is to be done at the next start. */
  keep: procedure.output(nothing),
  /** Of all that Slipway contains. */
  licenses: {
    list: procedure.output(licenseList),
    /** The full text of a package's license and notices, as its authors wrote it. */
    text: procedure
      .input(z.object({ name: z.string().max(214), version: z.string().max(256) }))
      .output(z.object({ text: z.string() })),
    /** Electron's own file with the licenses of Chromium and Node.js, in the system's file manager. */
    showChromiumFile: procedure.output(nothing),
  },
}
