import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { newerDetail, newerFile } from '../../domain/base/file-version.ts'
import type { Log } from '../../domain/base/log.ts'
import {
  filesOfPart,
  pendingReset,
  type Emptied,
  type FailedReset,
  type PendingReset,
} from '../../domain/diagnostics/reset.ts'
import type { StorageNotice } from '../storage/json-file.ts'
import { makeFolder, orStorageFailed, replaceFile, syncFolder, ifThere, isMissing } from '../storage/disk.ts'

const fileName = 'reset.json'

/** So often it is begun at most, when Slipway is killed on the way each time. */
const mostBegun = 3

const latestVersion = 1

/** `begun`: how often a start has begun with it. Files that were written before it was counted have neither. */
const resetFile = pendingReset.extend({ begun: z.int().min(0).default(0) })
const versioned = z.object({ version: z.int().min(1).default(1) })
type ResetFile = z.infer<typeof resetFile>

/** What is to be reset at the next start; `null` for nothing. */
export async function readPendingReset(userData: string, log: Log): Promise<PendingReset | null> {
  const asked = await readResetFile(userData, log)
  return asked === null || asked.begun >= mostBegun ? null : { parts: asked.parts, account: asked.account }
}

async function readResetFile(userData: string, log: Log): Promise<ResetFile | null> {
  try {
    const content: unknown = JSON.parse(await readFile(join(userData, fileName), 'utf8'))
    return versioned.parse(content).version > latestVersion ? null : resetFile.parse(content)
  } catch (error) {
    if (isMissing(error)) return null
    // Nothing is deleted by a guess.
    log.warn(`${fileName} cannot be read, so nothing is reset`)
    await forget(userData, log, (path) => rm(path, { force: true }))
    return null
  }
}

/** A start does not fail because of it. */
async function forget(
  userData: string,
  log: Log,
  remove: NonNullable<ResetSteps['remove']>,
): Promise<boolean> {
  try {
    await remove(join(userData, fileName))
    return true
  } catch (error) {
    log.error(`${fileName} cannot be removed`, error)
    return false
  }
}

/** The version of the file, where a newer Slipway wrote it: it is left alone. */
async function newerVersion(userData: string): Promise<number | null> {
  try {
    const parsed = versioned.safeParse(JSON.parse(await readFile(join(userData, fileName), 'utf8')))
    return parsed.success && parsed.data.version > latestVersion ? parsed.data.version : null
  } catch {
    // There is none, or it cannot be read: that is dealt with where it is read.
    return null
  }
}

/**
 * Asks for a reset at the next start, in place of one that was asked for before.
 *
 * @throws ProblemError storage-failed, newer-file
 */
export async function askForReset(userData: string, reset: PendingReset): Promise<void> {
  const path = join(userData, fileName)
  await orStorageFailed(path, async () => {
    if ((await newerVersion(userData)) !== null) throw newerFile(path)
    await write(userData, { ...reset, begun: 0 })
  })
}

async function write(userData: string, file: ResetFile): Promise<void> {
  await makeFolder(userData)
  await replaceFile(join(userData, fileName), `${JSON.stringify({ version: latestVersion, ...file })}\n`)
  await syncFolder(userData)
}

/** @throws ProblemError storage-failed, newer-file */
export async function withdrawReset(userData: string): Promise<void> {
  const path = join(userData, fileName)
  await orStorageFailed(path, async () => {
    if ((await newerVersion(userData)) !== null) throw newerFile(path)
    await rm(path, { force: true })
  })
}

export interface ResetSteps {
  readonly userData: string
  /** Takes everything of Slipway out of the keychain. */
  readonly removeSecrets: () => Promise<Emptied>
  /** They may hold secrets. */
  readonly removeCrashDumps: () => Promise<void>
  readonly log: Log
  /** Told of a reset that a newer Slipway was asked for, which is left to it. */
  readonly onNotice: (notice: StorageNotice) => void
  readonly remove?: (path: string) => Promise<void>
}

/**
 * Does what was asked for, before anything is read that it deletes. What was asked for is forgotten last: when
 * Slipway is killed on the way, the next start does it again, from the beginning and to the end. What cannot be
 * marked as begun is not begun, because it could never be forgotten either.
 *
 * @returns parts that could not be done; they are not tried again by themselves
 */
export async function doPendingReset(steps: ResetSteps): Promise<readonly FailedReset[]> {
  const { userData, log, onNotice, remove = removeWhole } = steps
  const version = await newerVersion(userData)
  if (version !== null)
    onNotice({ kind: 'newer', file: join(userData, fileName), detail: newerDetail(version, latestVersion) })
  const asked = await readResetFile(userData, log)
  if (asked === null) return []
  const isBegun = asked.begun < mostBegun && (await noteBegun(userData, asked, asked.begun + 1, log))
  const failed = isBegun
    ? await doParts(asked, steps)
    : asked.parts.map((part) => ({
        part,
        why: { kind: 'not-begun' as const, file: join(userData, fileName) },
      }))
  // If it stays, it is at least not done at every start.
  if (!(await forget(userData, log, remove)) && isBegun) await noteBegun(userData, asked, mostBegun, log)
  return failed
}

async function noteBegun(userData: string, asked: ResetFile, begun: number, log: Log): Promise<boolean> {
  try {
    await write(userData, { ...asked, begun })
    return true
  } catch (error) {
    log.error(`${fileName} cannot be written`, error)
    return false
  }
}

async function doParts(
  { parts, account }: PendingReset,
  { userData, log, removeSecrets, removeCrashDumps, remove = removeWhole }: ResetSteps,
): Promise<readonly FailedReset[]> {
  const accounts = (await ifThere(readdir(join(userData, 'accounts')))) ?? []
  const failed: FailedReset[] = []
  for (const part of parts) {
    try {
      const emptied = part === 'secrets' ? await removeSecrets() : null
      if (emptied !== null && emptied.kind !== 'emptied') {
        failed.push({ part, why: emptied })
        continue
      }
      if (part === 'secrets') await removeCrashDumps()
      for (const name of filesOfPart(part, { accounts, account })) await remove(join(userData, name))
    } catch (error) {
      log.error(`Could not reset: ${part}`, error)
      failed.push({ part, why: { kind: 'not-deleted' } })
    }
  }
  return failed
}

function removeWhole(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true })
}
