import { writeFile } from 'node:fs/promises'
import type { AccountState } from '../../domain/accounts/account.ts'
import { newerFile } from '../../domain/base/file-version.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { offerLists, type OfferLists } from '../../domain/offers/offer-lists.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import {
  changedSettings,
  listChangesOf,
  mergedLists,
  portableSetting,
  readSettingsFile,
  settingsFileText,
  type ListChanges,
  type PortableSetting,
  type PortableSettings,
  type SettingsFile,
} from '../../domain/settings/settings-file.ts'
import type { PreferencesFile } from './preferences.ts'
import { orStorageFailed } from '../storage/disk.ts'

/** What an import would change, or has changed. */
export interface SettingsChanges {
  readonly settings: readonly PortableSetting[]
  /** Through which hosts every connection to an instance would lead; `null`: as now. */
  readonly jumpHosts: string | null
  /** `no-account`, `other-service`: the file has lists, which are left out. */
  readonly lists:
    ({ readonly kind: 'merged' } & ListChanges) | { readonly kind: 'none' | 'no-account' | 'other-service' }
}

export interface SettingsTransferOptions {
  readonly preferences: PreferencesFile
  /** Of offers, of the account. */
  readonly lists: {
    readonly latest: Latest<OfferLists>
    change(make: (lists: OfferLists) => OfferLists): Promise<void>
  }
  readonly account: Pick<Latest<AccountState>, 'value'>
  /** Asks the user where to; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  /** What saves it, such as `Slipway 1.2.0`. */
  readonly app: string
  readonly now: () => number
  readonly log: Log
}

interface Plan {
  readonly settings: PortableSettings
  /** What the file has for this account; `null`: the lists stay as they are. */
  readonly lists: OfferLists | null
  readonly changes: SettingsChanges
}

/** Takes settings, and what is kept about offers, to another computer, and back. */
export class SettingsTransfer {
  readonly #options: SettingsTransferOptions

  constructor(options: SettingsTransferOptions) {
    this.#options = options
  }

  /** Where it was saved; `null` when the user chose no file. @throws ProblemError storage-failed */
  readonly save = async (): Promise<string | null> => {
    const { chooseFile, now, app, preferences, lists, account } = this.#options
    const { value } = account
    const text = settingsFileText({
      app,
      preferences: preferences.latest.value,
      offers:
        value.kind === 'connected'
          ? { serviceAddress: value.serviceAddress, lists: lists.latest.value }
          : null,
    })
    const path = await chooseFile(`slipway-settings-${new Date(now()).toISOString().slice(0, 10)}.json`)
    if (path === null) return null
    await orStorageFailed(path, () => writeFile(path, text, { mode: 0o600 }))
    return path
  }

  /** @throws ProblemError invalid-input for a file that is none, or does not fit */
  readonly preview = (text: string): SettingsChanges => this.#plan(text).changes

  /**
   * Does what {@link SettingsTransfer.preview} said: all of it, or nothing.
   *
   * @throws ProblemError as `preview`; storage-failed, newer-file: nothing was changed
   */
  readonly apply = async (text: string): Promise<SettingsChanges> => {
    const { preferences, lists, log } = this.#options
    const { settings, lists: from, changes } = this.#plan(text)
    // They would be gone at the next start.
    if (preferences.isNewer) throw newerFile(preferences.path)
    const before = preferences.latest.value
    if (changes.settings.length > 0) await preferences.update(settings)
    try {
      // At their turn: something may be marked meanwhile.
      if (from !== null) await lists.change((current) => mergedOrRefused(current, from))
    } catch (error) {
      if (changes.settings.length > 0)
        await preferences.update(changedSettings(preferences.latest.value, before))
      throw error
    }
    log.info(`Settings were imported: ${changes.settings.join(', ')}`)
    return changes
  }

  #plan(text: string): Plan {
    const read = readSettingsFile(text)
    if (!read.ok) throw invalidInput('file', { code: read.why === 'too-long' ? 'other-file' : read.why })
    const settings = changedSettings(this.#options.preferences.latest.value, read.content.settings)
    const { lists, changes } = this.#planLists(read.content.offers)
    return {
      settings,
      lists,
      changes: {
        settings: portableSetting.options.filter((name) => settings[name] !== undefined),
        jumpHosts: settings.jumpHosts ?? null,
        lists: changes,
      },
    }
  }

  #planLists(from: SettingsFile['offers']): {
    readonly lists: OfferLists | null
    readonly changes: SettingsChanges['lists']
  } {
    const { account, lists } = this.#options
    if (from === null) return { lists: null, changes: { kind: 'none' } }
    const { value } = account
    if (value.kind === 'none') return { lists: null, changes: { kind: 'no-account' } }
    // Machines and hosts have their numbers from the service.
    if (value.serviceAddress !== from.serviceAddress)
      return { lists: null, changes: { kind: 'other-service' } }
    const here = lists.latest.value
    const merged = mergedOrRefused(here, from.lists)
    return { lists: from.lists, changes: { kind: 'merged', ...listChangesOf(here, merged) } }
  }
}

function mergedOrRefused(here: OfferLists, from: OfferLists): OfferLists {
  const merged = offerLists.safeParse(mergedLists(here, from))
  if (!merged.success) throw invalidInput('file', { code: 'lists-full' })
  return merged.data
}
