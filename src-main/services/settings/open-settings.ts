import { formatLocaleOf } from '../../domain/base/format-locale.ts'
import type { ProgramFacts } from '../../domain/diagnostics/diagnostics.ts'
import type { StartAtLogin } from '../../domain/settings/start-at-login.ts'
import { orStorageFailed } from '../storage/disk.ts'
import type { Folder } from '../storage/folder.ts'
import type { StorageNotice } from '../storage/json-file.ts'
import type { PreferencesFile } from './preferences.ts'
import { SettingsTransfer, type SettingsTransferOptions } from './settings-transfer.ts'

/** Slipway among what the system starts when its user logs in. */
export interface LoginItem {
  readonly read: () => Promise<StartAtLogin>
  /** @throws Error when the system refuses it */
  readonly set: (isOn: boolean) => Promise<void>
}

export interface SettingsDependencies extends Omit<SettingsTransferOptions, 'preferences' | 'app'> {
  readonly preferencesFile: PreferencesFile
  readonly about: ProgramFacts
  readonly loginItem: LoginItem
  readonly userData: string
  /** A BCP 47 tag. */
  readonly systemLocale: () => string
  readonly logFile: string
  /** Of all accounts: they are opened before any account is. */
  readonly sharedFolder: Pick<Folder, 'notices'>
  /** Of the account. */
  readonly folder: Pick<Folder, 'notices'>
}

export type SettingsService = ReturnType<typeof openSettings>

/** The user's preferences, their way to another computer, and what the user should know of Slipway and its files. */
export function openSettings(from: SettingsDependencies) {
  const { preferencesFile, about, loginItem, userData, logFile, sharedFolder, folder, systemLocale } = from
  return {
    preferences: preferencesFile.latest,
    update: preferencesFile.update,
    transfer: new SettingsTransfer({
      ...from,
      preferences: preferencesFile,
      app: `Slipway ${about.version}`,
    }),
    startAtLogin: loginItem.read,
    /** @throws ProblemError storage-failed: it is as it was */
    setStartAtLogin: async (isOn: boolean): Promise<StartAtLogin> => {
      await orStorageFailed('slipway.desktop', () => loginItem.set(isOn))
      return loginItem.read()
    },
    /** What numbers and dates are written in. */
    async *formatLocales(signal?: AbortSignal): AsyncGenerator<string, void, void> {
      for await (const { formatLocale } of preferencesFile.latest.watch(signal))
        yield formatLocaleOf(formatLocale, systemLocale())
    },
    async *notices(signal?: AbortSignal): AsyncGenerator<readonly StorageNotice[], void, void> {
      for await (const own of folder.notices.watch(signal)) yield [...sharedFolder.notices.value, ...own]
    },
    about: { ...about, userData, logFile },
  }
}
