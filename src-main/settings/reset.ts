import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import type { Log } from '../domain/log.ts'
import { filesOfPart, pendingReset, type PendingReset, type ResetPart } from '../domain/reset.ts'
import { hasCode, makeFolder, orStorageFailed, syncFolder } from './storage.ts'

const fileName = 'reset.json'

/** What is to be reset at the next start; `null` for nothing. */
export async function readPendingReset(userData: string, log: Log): Promise<PendingReset | null> {
  let text: string
  try {
    text = await readFile(join(userData, fileName), 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  try {
    return pendingReset.parse(JSON.parse(text))
  } catch {
    // Nothing is deleted by a guess.
    log.warn(`${fileName} cannot be read, so nothing is reset`)
    await rm(join(userData, fileName), { force: true })
    return null
  }
}

/** Asks for a reset at the next start, in place of one that was asked for before. @throws ProblemError storage-failed */
export async function askForReset(userData: string, reset: PendingReset): Promise<void> {
  const path = join(userData, fileName)
  await orStorageFailed(path, async () => {
    await makeFolder(userData)
    await writeFileAtomic(path, `${JSON.stringify(reset)}\n`, { mode: 0o600 })
    await syncFolder(userData)
  })
}

/** @throws ProblemError storage-failed */
export async function withdrawReset(userData: string): Promise<void> {
  const path = join(userData, fileName)
  await orStorageFailed(path, () => rm(path, { force: true }))
}

export interface ResetSteps {
  readonly userData: string
  /** Takes everything of Slipway out of the keychain; `false` when some of it is still there. */
  readonly removeSecrets: () => Promise<boolean>
  readonly log: Log
  readonly remove?: (path: string) => Promise<void>
}

/**
 * Does what was asked for, before anything is read that it deletes. What was asked for is forgotten last: when
 * Slipway is killed on the way, the next start does it again, from the beginning and to the end.
 *
 * @returns parts that could not be done; they are not tried again by themselves
 */
export async function doPendingReset(steps: ResetSteps): Promise<readonly ResetPart[]> {
  const {
    userData,
    log,
    removeSecrets,
    remove = (path: string) => rm(path, { recursive: true, force: true }),
  } = steps
  const pending = await readPendingReset(userData, log)
  if (pending === null) return []
  const accounts = await foldersIn(join(userData, 'accounts'))
  const failed: ResetPart[] = []
  for (const part of pending.parts) {
    try {
      if (part === 'secrets' && !(await removeSecrets())) {
        failed.push(part)
        continue
      }
      for (const name of filesOfPart(part, { accounts, account: pending.account }))
        await remove(join(userData, name))
    } catch (error) {
      log.error(`Could not reset: ${part}`, error)
      failed.push(part)
    }
  }
  await rm(join(userData, fileName), { force: true })
  return failed
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
