import { z } from 'zod'
import { licenseList } from '../domain/diagnostics/licenses.ts'
import { nothing, procedure } from './base.ts'

export const licenses = {
  list: procedure.output(licenseList),
  /** The full text of a package's license and notices, as its authors wrote it. */
  text: procedure
    .input(z.object({ name: z.string().max(214), version: z.string().max(256) }))
    .output(z.object({ text: z.string() })),
  /** Electron's own file with the licenses of Chromium and Node.js, in the system's file manager. */
  showChromiumFile: procedure.output(nothing),
}
