import { realpath, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import type { CrashDumpsView } from '../../domain/diagnostics/crash-dump.ts'
import {
  diagnosticsText,
  type DiagnosticFacts,
  type Diagnostics,
  type ProgramFacts,
} from '../../domain/diagnostics/diagnostics.ts'
import { resetWord, type FailedReset, type ResetPart } from '../../domain/diagnostics/reset.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { ConnectionsList } from '../../domain/ssh/ssh-connection.ts'
import type { KeychainState } from '../../domain/vault/keychain-state.ts'
import type { ClockState } from '../../domain/vault/vault-view.ts'
import type { Folder } from '../storage/folder.ts'
import { readLogTail, readWholeLog } from '../storage/log-file.ts'
import { orStorageFailed } from '../storage/disk.ts'
import { jumpHostNames, knownHostNames } from './account-hosts.ts'
import { anonymize } from './anonymous-text.ts'
import type { CrashDumps } from './crash-dumps.ts'
import { askForReset, readPendingReset, withdrawReset } from './reset.ts'

export interface DiagnosticsOptions {
  readonly about: ProgramFacts
  /** The folder for everything that Slipway keeps on disk. */
  readonly userData: string
  readonly homeFolder: string
  /** Of the account. */
  readonly folder: Pick<Folder, 'path'>
  readonly log: Log & { readonly path: string }
  /** The same text without any secret. */
  readonly redact: (text: string) => string
  readonly preferences: Pick<Latest<Preferences>, 'value'>
  readonly vault: {
    readonly state: Pick<Latest<KeychainState>, 'value'>
    readonly correctedClock: { readonly state: Pick<Latest<ClockState>, 'value'> }
  }
  readonly crashDumps: CrashDumps
  /** Parts of a reset that was asked for in the run before and could not be done. */
  readonly failedReset: readonly FailedReset[]
  readonly account: Pick<Latest<AccountState>, 'value'>
  readonly snapshot: Pick<Latest<DiagnosticSnapshot>, 'value'>
  /** How each connection to a machine stands. */
  readonly connections: Pick<Latest<ConnectionsList>, 'value'>
  /** Where the service and the machines of all accounts are (`hostsOfAccount`). */
  readonly hosts: () => readonly string[]
  /** Machines that the user's SSH configuration names. */
  readonly configuredNames: () => Promise<readonly string[]>
  /** Hosts that are trusted, as `known_hosts` writes them. */
  readonly trustedHosts: () => Promise<readonly { readonly hosts: string }[]>
  /** Asks where to write a file; `null` when nothing was chosen. */
  readonly chooseFile: (suggestedName: string) => Promise<string | null>
  /** Shows a file or folder in the system's file manager. */
  readonly showInFolder: (path: string) => void
  /** Ends the program as the user's own command does: it may ask before. */
  readonly quit: () => void
  readonly now: () => number
}

/** What the window is served about the program itself. */
export interface ProgramDiagnostics {
  readonly read: (options: { readonly withAddresses: boolean }) => Promise<Diagnostics>
  readonly show: (what: 'data' | 'log' | 'crash-dumps') => Promise<void>
  readonly crashDumps: () => Promise<CrashDumpsView>
  /** @throws ProblemError storage-failed */
  readonly deleteCrashDumps: () => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly saveLog: (options: { readonly withAddresses: boolean }) => Promise<boolean>
  /** @throws ProblemError invalid-input (`typed`), storage-failed */
  readonly reset: (parts: readonly ResetPart[], typed: string) => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly keep: () => Promise<void>
}

interface DiagnosticSnapshot {
  readonly fetchedAt: number | null
  readonly problem: NonNullable<DiagnosticFacts['service']>['problem']
}

const shownLines = 200

/** Tells how the program is, and sets it back. */
export function createDiagnostics(from: DiagnosticsOptions): ProgramDiagnostics {
  const { about, userData, homeFolder, folder, log, redact, vault, crashDumps, now } = from

  function facts(): DiagnosticFacts {
    const account = from.account.value
    const { fetchedAt, problem } = from.snapshot.value
    return {
      at: now(),
      program: about,
      folders: { data: userData, log: log.path },
      keychain: vault.state.value,
      clock: vault.correctedClock.state.value,
      service:
        account.kind === 'none'
          ? null
          : {
              address: account.serviceAddress,
              lastAnswerAt: latestOf(fetchedAt, account.checkedAt),
              problem: problem ?? account.problem,
            },
      connections: countsOf(from.connections.value.map(({ state }) => state.kind)),
    }
  }

  /** Without secrets always; without names, and addresses unless they may be told. */
  async function clean(text: string, withAddresses: boolean): Promise<string> {
    return anonymize(redact(text), {
      // Electron tells the folder of the log without the links that lead to it.
      // Where there is no such folder, nothing lies in it either.
      homeFolders: [homeFolder, await realpath(homeFolder).catch(() => homeFolder)],
      hosts: withAddresses ? null : await knownHosts(),
    })
  }

  /** Of all accounts, because the log is of all of them, and with those that are gone but were once trusted. */
  async function knownHosts(): Promise<readonly string[]> {
    const { jumpHosts } = from.preferences.value
    const [trusted, configured] = await Promise.all([trustedHosts(), from.configuredNames()])
    return [...from.hosts(), ...jumpHostNames(jumpHosts), ...trusted, ...configured]
  }

  async function trustedHosts(): Promise<readonly string[]> {
    try {
      return (await from.trustedHosts()).flatMap(({ hosts }) => knownHostNames(hosts))
    } catch (error) {
      // What is wrong may be just this file, and then the diagnostics are wanted all the more.
      log.error('The trusted hosts could not be read to leave their names out of the diagnostics', error)
      return []
    }
  }

  async function pathOf(what: Parameters<ProgramDiagnostics['show']>[0]): Promise<string> {
    if (what === 'crash-dumps') return crashDumps.newestPath()
    return what === 'log' ? log.path : userData
  }

  return {
    read: async ({ withAddresses }) => {
      const [lines, pending] = await Promise.all([
        readLogTail(log.path, shownLines),
        readPendingReset(userData, log),
      ])
      const found = facts()
      return {
        ...found,
        logLines: lines.map(redact),
        text: await clean(diagnosticsText(found, lines), withAddresses),
        pendingReset: pending,
        failedReset: from.failedReset,
      }
    },
    show: async (what) => from.showInFolder(await pathOf(what)),
    crashDumps: async () => ({ folder: crashDumps.folder, dumps: await crashDumps.list() }),
    deleteCrashDumps: () => crashDumps.deleteAll(),
    saveLog: async ({ withAddresses }) => {
      const path = await from.chooseFile('slipway-log.txt')
      if (path === null) return false
      await orStorageFailed(path, async () => {
        const text = `${diagnosticsText(facts(), [])}${await readWholeLog(log.path)}`
        await writeFile(path, await clean(text, withAddresses), { mode: 0o600 })
      })
      return true
    },
    reset: async (parts, typed) => {
      const word = resetWord(parts)
      if (typed.trim().toLowerCase() !== word) throw invalidInput('typed', { code: 'type-word', word })
      const isAccount = basename(dirname(folder.path)) === 'accounts' && from.account.value.kind !== 'none'
      await askForReset(userData, { parts, account: isAccount ? basename(folder.path) : null })
      log.info(`To be reset when Slipway next starts: ${parts.join(', ')}`)
      from.quit()
    },
    keep: () => withdrawReset(userData),
  }
}

function latestOf(one: number | null, other: number | null): number | null {
  return one === null ? other : other === null ? one : Math.max(one, other)
}

function countsOf(states: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(states, (state) => state)].map(([state, all]) => [state, all.length]),
  )
}
