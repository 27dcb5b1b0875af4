import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../domain/base/clock.ts'
import { keptDumps, keptDumpsDays, type CrashDump } from '../../domain/diagnostics/crash-dump.ts'
import type { Log } from '../../domain/base/log.ts'
import { orStorageFailed, ifThere } from '../storage/disk.ts'

/**
 * Where Crashpad keeps what it writes: `reports` on Windows, the others elsewhere (`crash_report_database_*.cc`). Beside
 * them lie its settings, without anything of a crash.
 */
const dumpFolders = ['new', 'pending', 'completed', 'reports', 'attachments'] as const

/** Crashes that come one after the other are few until a look at them. */
const lookMs = 60 * 60 * 1000
const dayMs = 24 * lookMs

export interface CrashDumps {
  readonly folder: string
  /** Newest first. @throws Error when the folder cannot be read */
  readonly list: () => Promise<readonly CrashDump[]>
  /** Where the newest lies; the folder when there is none. @throws Error when the folder cannot be read */
  readonly newestPath: () => Promise<string>
  /** All of them, with what Crashpad keeps beside them. @throws ProblemError storage-failed */
  readonly deleteAll: () => Promise<void>
  /** Deletes those that are beyond the bounds, now and every hour. Resolves when the signal is aborted. */
  readonly follow: (signal: AbortSignal) => Promise<void>
}

interface FoundDump extends CrashDump {
  readonly path: string
}

/** What Electron's crash reporter leaves in `folder`: parts of Slipway's memory. They are read by nobody here. */
export function openCrashDumps({
  folder,
  clock,
  log,
}: {
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
}): CrashDumps {
  async function find(): Promise<readonly FoundDump[]> {
    const found: FoundDump[] = []
    for (const path of await pathsIn(folder)) {
      if (!path.endsWith('.dmp')) continue
      // Moved on or deleted meanwhile.
      const stats = await ifThere(lstat(path))
      if (stats !== null) found.push({ path, at: stats.mtimeMs, bytes: stats.size })
    }
    return found.toSorted((one, other) => other.at - one.at)
  }

  async function prune(): Promise<void> {
    const dumps = await find()
    const tooOld = clock.now() - keptDumpsDays * dayMs
    const gone = dumps.filter(({ at }, index) => index >= keptDumps || at < tooOld)
    if (gone.length === 0) return
    const ids = gone.map(({ path }) => path.replace(/\.dmp$/, '').slice(-uuidLength))
    // Beside a dump lie files of the same name, and attachments in a folder of that name.
    for (const path of await pathsIn(folder)) if (ids.some((id) => path.includes(id))) await remove(path)
    log.info(`Deleted ${gone.length} old crash dumps`)
  }

  return {
    folder,
    list: async () => (await find()).map(({ at, bytes }) => ({ at, bytes })),
    newestPath: async () => (await find())[0]?.path ?? folder,
    deleteAll: () =>
      orStorageFailed(folder, async () => {
        for (const path of await pathsIn(folder)) await remove(path)
        log.info('Deleted all crash dumps')
      }),
    follow: async (signal) => {
      while (!signal.aborted) {
        await prune().catch((error: unknown) => log.error('Old crash dumps could not be deleted', error))
        // Rejects at the end.
        await clock.sleep(lookMs, signal).catch(() => undefined)
      }
    },
  }
}

const uuidLength = 36

async function pathsIn(folder: string): Promise<readonly string[]> {
  const paths: string[] = []
  for (const name of dumpFolders) {
    const files = (await ifThere(readdir(join(folder, name)))) ?? []
    paths.push(...files.map((file) => join(folder, name, file)))
  }
  return paths
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true })
}
