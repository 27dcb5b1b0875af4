import { realpath, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { jumpHostNames, knownHostNames } from '../services/diagnostics/account-hosts.ts'
import { anonymise } from '../services/diagnostics/anonymous-text.ts'
import type { AccountState } from '../domain/accounts/account.ts'
import { diagnosticsText, type DiagnosticFacts } from '../domain/diagnostics/diagnostics.ts'
import { ProblemError } from '../domain/base/problem.ts'
import { resetWord } from '../domain/diagnostics/reset.ts'
import type { DiagnosticsDesk } from '../ipc/diagnostics-services.ts'
import { readLogTail, readWholeLog } from '../services/storage/log-tail.ts'
import { askForReset, readPendingReset, withdrawReset } from '../services/diagnostics/reset.ts'
import { orStorageFailed } from '../services/storage/storage.ts'
import type { Shared } from './shared-services.ts'
import { openKnownHosts } from '../services/ssh/known-hosts/known-hosts-file.ts'

export interface DiagnosticsOptions {
  readonly shared: Shared
  /** The folder of the account's files. */
  readonly folder: string
  readonly account: () => AccountState
  readonly listed: () => DiagnosticSnapshot
  /** How each connection to a machine stands. */
  readonly connections: () => readonly string[]
  /** Where the service and the machines of all accounts are (`hostsOfAccount`). */
  readonly hosts: () => readonly string[]
  /** Machines that the user's SSH configuration names. */
  readonly configuredNames: () => Promise<readonly string[]>
}

interface DiagnosticSnapshot {
  readonly fetchedAt: number | null
  readonly problem: NonNullable<DiagnosticFacts['service']>['problem']
}

const shownLines = 200

/** The part of the composition that tells how the program is, and sets it back. */
export function composeDiagnostics(options: DiagnosticsOptions): DiagnosticsDesk {
  const { shared } = options
  const { surroundings, log, redact, keychain, trueClock, crashDumps } = shared
  const { userData, homeFolder, clock } = surroundings

  function facts(): DiagnosticFacts {
    const account = options.account()
    const { fetchedAt, problem } = options.listed()
    return {
      at: clock.now(),
      program: surroundings.about,
      folders: { data: userData, log: log.path },
      keychain: keychain.state.value,
      clock: trueClock.state.value,
      service:
        account.kind === 'none'
          ? null
          : {
              address: account.serviceAddress,
              lastAnswerAt: latestOf(fetchedAt, account.checkedAt),
              problem: problem ?? account.problem,
            },
      connections: countsOf(options.connections()),
    }
  }

  /** Without secrets always; without names, and addresses unless they may be told. */
  async function clean(text: string, withAddresses: boolean): Promise<string> {
    return anonymise(redact(text), {
      // Electron tells the folder of the log without the links that lead to it.
      // Where there is no such folder, nothing lies in it either.
      homeFolders: [homeFolder, await realpath(homeFolder).catch(() => homeFolder)],
      hosts: withAddresses ? null : await knownHosts(),
    })
  }

  /** Of all accounts, because the log is of all of them, and with those that are gone but were once trusted. */
  async function knownHosts(): Promise<readonly string[]> {
    const { jumpHosts } = shared.preferences.latest.value
    const [trusted, configured] = await Promise.all([trustedHosts(), options.configuredNames()])
    return [...options.hosts(), ...jumpHostNames(jumpHosts), ...trusted, ...configured]
  }

  async function trustedHosts(): Promise<readonly string[]> {
    try {
      const trusted = await openKnownHosts(shared.knownHostsFile).read()
      return trusted.flatMap(({ hosts }) => knownHostNames(hosts))
    } catch (error) {
      // What is wrong may be just this file, and then the diagnostics are wanted all the more.
      log.error('The trusted hosts could not be read to leave their names out of the diagnostics', error)
      return []
    }
  }

  async function pathOf(what: Parameters<DiagnosticsDesk['show']>[0]): Promise<string> {
    if (what === 'crash-dumps') return crashDumps.newestPath()
    return what === 'log' ? log.path : userData
  }

  return {
    read: async ({ withAddresses }) => {
      const [lines, pending] = await Promise.all([
        readLogTail(log.path, shownLines),
        readPendingReset(userData, log),
      ])
      const now = facts()
      return {
        ...now,
        logLines: lines.map(redact),
        text: await clean(diagnosticsText(now, lines), withAddresses),
        pendingReset: pending,
        failedReset: shared.failedReset,
      }
    },
    show: async (what) => surroundings.showInFolder(await pathOf(what)),
    crashDumps: async () => ({ folder: crashDumps.folder, dumps: await crashDumps.list() }),
    deleteCrashDumps: () => crashDumps.deleteAll(),
    saveLog: async ({ withAddresses }) => {
      const path = await surroundings.secrets.chooseFile('slipway-log.txt')
      if (path === null) return false
      await orStorageFailed(path, async () => {
        const text = `${diagnosticsText(facts(), [])}${await readWholeLog(log.path)}`
        await writeFile(path, await clean(text, withAddresses), { mode: 0o600 })
      })
      return true
    },
    reset: async (parts, typed) => {
      const word = resetWord(parts)
      if (typed.trim().toLowerCase() !== word)
        throw new ProblemError({ kind: 'invalid-input', field: 'typed', message: `Type “${word}”.` })
      const isAccount = basename(dirname(options.folder)) === 'accounts' && options.account().kind !== 'none'
      await askForReset(userData, { parts, account: isAccount ? basename(options.folder) : null })
      log.info(`To be reset at the next start: ${parts.join(', ')}`)
      surroundings.quit()
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
