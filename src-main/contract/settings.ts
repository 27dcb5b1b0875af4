import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { preferences, preferencesChange } from '../domain/settings.ts'
import { nothing, procedure } from './base.ts'

/** What is running, for the page that says so. */
const about = z.object({
  version: z.string(),
  isDevelopment: z.boolean(),
  electron: z.string(),
  platform: z.string(),
  userData: z.string(),
  logFile: z.string(),
  /** An installed Slipway was started without Chromium's sandbox. */
  isSandboxOff: z.boolean(),
})

/** Something of Slipway's own files that the user should know, such as a corrupt file that was kept aside. */
const storageNotice = z.object({ file: z.string(), keptAs: z.string(), detail: z.string() })

export const settings = {
  watch: procedure.output(eventIterator(preferences)),
  /** Identity files are added where they are tried first: `sshKeys.addIdentityFile`. */
  update: procedure.input(preferencesChange.omit({ identityFiles: true })).output(nothing),
  about: procedure.output(about),
  storageNotices: procedure.output(z.array(storageNotice).readonly()),
}
