import type { Clock } from '../domain/base/clock.ts'
import type { Log } from '../domain/base/log.ts'
import type { ProgramFacts } from '../domain/diagnostics/diagnostics.ts'
import type { MachineTimes } from '../domain/vault/clock-offset.ts'
import type { LicensesDependencies } from '../services/diagnostics/licenses.ts'
import type { Editor } from '../domain/instances/editor-link.ts'
import type { ExternalPrograms } from '../services/instances/external-links.ts'
import type { ShowNotification } from '../services/notifications/notifier.ts'
import type { LoginItem } from '../services/settings/open-settings.ts'
import type { UpdatesOptions, UpdateSource } from '../services/updates/updates.ts'
import type { KeychainBackend } from '../services/vault/keychain/keychain-backend.ts'
import type { SecretProtection } from '../services/vault/open-vault.ts'
import type { AskingProxy } from '../services/workbench/proxy-logins.ts'

/** Everything from outside that the program uses, so that a test can own it. */
export interface AppDependencies extends LicensesDependencies {
  readonly keychain: KeychainBackend
  readonly fetch: typeof globalThis.fetch
  readonly proxy: AskingProxy
  readonly clock: Clock
  /** All clocks of the machine at one moment. */
  readonly machineTimes: () => MachineTimes
  /** 0 to below 1. */
  readonly random: () => number
  readonly randomId: () => string
  /** The folder for everything that Slipway keeps on disk. */
  readonly userData: string
  /** Of the log: where the system wants it. */
  readonly logFolder: string
  /** Where Electron's crash reporter puts what it writes. */
  readonly crashDumpFolder: string
  /** The folder of the scripts that run on instances. */
  readonly machineScripts: string
  /** The user's home folder: `~/.ssh/config` is there. */
  readonly homeFolder: string
  /** Permission bits that nothing gets which this process makes (umask(2)). */
  readonly umask: number
  /** Gives links to other programs. */
  readonly programs: (log: Log) => ExternalPrograms
  /** Whether a program of this computer is registered for an editor's links. */
  readonly hasEditor: (editor: Editor) => boolean
  /** Moves a file or folder into the system's trash. @throws when the system does not */
  readonly trash: (path: string) => Promise<void>
  /** Lets the user choose files or folders of this computer: their paths, none when the user leaves it. */
  readonly chooseToUpload: (kind: 'files' | 'folders') => Promise<readonly string[]>
  /** Lets the user choose a project's folder, or a job's definition file: its path, `null` when the user leaves it. */
  readonly chooseProject: (kind: 'folder' | 'definition') => Promise<string | null>
  /** The user's own program for files of instances. */
  readonly ownEditor: {
    /** Lets the user choose one: its path, `null` when the user leaves it. */
    readonly choose: () => Promise<string | null>
    /** Starts it with one file, given by its absolute path. `false` when the system refuses. */
    readonly start: (program: string, path: string) => Promise<boolean>
  }
  readonly notifications: (log: Log) => ShowNotification
  readonly secrets: SecretProtection
  /** The SSH agent's socket or pipe; `null` without one. */
  readonly agentSocket: string | null
  /** LANG and LC_* of this computer's user, as programs on an instance take them. */
  readonly locale: Readonly<Record<string, string>>
  /** The locale of its numbers and dates, a BCP 47 tag; known once Electron is ready. */
  readonly systemLocale: () => string
  readonly updates: {
    readonly source: (log: Log) => UpdateSource
    readonly ask: UpdatesOptions['ask']
  }
  readonly about: ProgramFacts
  readonly loginItem: LoginItem
  /** Ends the program as the user's own command does: it may ask before. */
  readonly quit: () => void
}
