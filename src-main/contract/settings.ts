import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { listChanges, longestSettingsFile, portableSetting } from '../domain/settings/settings-file.ts'
import { startAtLogin } from '../domain/settings/start-at-login.ts'
import { preferences, preferencesChange } from '../domain/settings/settings.ts'
import { nothing, procedure } from './base.ts'

/** What is running, for the page that says so. */
const about = z.object({
  version: z.string(),
  isDevelopment: z.boolean(),
  /** `null` where main runs without it. */
  electron: z.string().nullable(),
  platform: z.string(),
  userData: z.string(),
  logFile: z.string(),
  /** An installed Slipway was started without Chromium's sandbox. */
  isSandboxOff: z.boolean(),
})

/** Something of Slipway's own files that the user should know. */
const storageNotice = z.discriminatedUnion('kind', [
  /** It could not be read, and is now at `keptAs`. */
  z.object({ kind: z.literal('unreadable'), file: z.string(), keptAs: z.string(), detail: z.string() }),
  /** A newer Slipway wrote it: it stays as it is, and nothing is saved to it in this run. */
  z.object({ kind: z.literal('newer'), file: z.string(), detail: z.string() }),
])

const fileText = z.object({ text: z.string().max(longestSettingsFile) })

/** What an import of settings would change, or has changed. */
const changes = z.object({
  settings: z.array(portableSetting).readonly(),
  /** Through which hosts every connection to an instance would lead; `null`: as now. */
  jumpHosts: z.string().nullable(),
  /** `no-account`, `other-service`: the file has lists, which are left out. */
  lists: z.discriminatedUnion('kind', [
    listChanges.extend({ kind: z.literal('merged') }),
    z.object({ kind: z.enum(['none', 'no-account', 'other-service']) }),
  ]),
})

export const settings = {
  watch: procedure.output(eventIterator(preferences)),
  /** The locale that numbers and dates are written in: as the user has set, or the system's. */
  watchFormatLocale: procedure.output(eventIterator(z.string())),
  /** Identity files are added where they are tried first: `sshKeys.addIdentityFile`; programs are chosen: `files.chooseEditor`. */
  update: procedure.input(preferencesChange.omit({ identityFiles: true, ownEditor: true })).output(nothing),
  /** Saves settings and what is kept about offers, without secrets; `path` is `null` when the user chose no file. */
  exportFile: procedure.output(z.object({ path: z.string().nullable() })),
  /** What an import of this file's text would change; `invalid-input` says why it would be refused. */
  previewImport: procedure.input(fileText).output(changes),
  /** Does it: all of it, or nothing. */
  importFile: procedure.input(fileText).output(changes),
  about: procedure.output(about),
  /** As the system says now: its own settings change it, too. */
  startAtLogin: procedure.output(startAtLogin),
  /** How it is afterwards. */
  setStartAtLogin: procedure.input(z.object({ isOn: z.boolean() })).output(startAtLogin),
  watchStorageNotices: procedure.output(eventIterator(z.array(storageNotice).readonly())),
}
