import { realpath, rename, rm, stat, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import electronLog from 'electron-log/node'
import type { Log } from '../../domain/base/log.ts'
import type { Redactor } from '../../domain/base/redact.ts'
import { makeFolder, ifThere } from './disk.ts'

const fileName = 'slipway.log'
/** What was rotated out of it. */
const olderName = 'slipway.old.log'
const largestBytes = 1024 * 1024

export interface LogFile extends Log {
  readonly path: string
}

/**
 * The program's one log, `slipway.log` in `folder`: rotated at 1 MiB (one older file is kept), readable by
 * its owner only, and never written but through the redactor.
 */
export function openLogFile({
  folder,
  redactor,
  randomId,
}: {
  readonly folder: string
  readonly redactor: Redactor
  readonly randomId: () => string
}): LogFile {
  const path = join(folder, fileName)
  const logger = electronLog.create({ logId: path })
  logger.transports.console.level = false
  logger.transports.file.resolvePathFn = () => path
  logger.transports.file.maxSize = largestBytes
  logger.transports.file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' }
  return {
    path,
    info: (message) => logger.info(redactor.redact(message)),
    warn: (message) => logger.warn(redactor.redact(message)),
    error: (message, error) => {
      const id = randomId()
      logger.error(redactor.redact(`[${id}] ${message}: ${inspect(error, { depth: 4 })}`))
      return id
    },
  }
}

/**
 * Moves the log of an older Slipway from the folder that it had, unless there is one in the new folder already; then
 * it is deleted. A failure is only logged.
 */
export async function takeLogAlong({
  from,
  to,
  log,
}: {
  readonly from: string
  readonly to: string
  readonly log: Log
}): Promise<void> {
  try {
    if (!(await isThere(from))) return
    await makeFolder(to)
    // By where they lie: Electron follows links to the one, and not to the other.
    if ((await realpath(from)) === (await realpath(to))) return
    for (const name of [fileName, olderName])
      if ((await isThere(join(from, name))) && !(await isThere(join(to, name))))
        await rename(join(from, name), join(to, name))
    await rm(from, { recursive: true, force: true })
  } catch (error) {
    log.error(`The log could not be moved from ${from}`, error)
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== null
}

/** A log is rotated at 1 MiB: more than this of it is never looked at in a window. */
const tailBytes = 64 * 1024

/** The last whole lines of a file, oldest first; none when there is no file. */
export async function readLogTail(path: string, mostLines: number): Promise<readonly string[]> {
  const handle = await ifThere(open(path, 'r'))
  if (handle === null) return []
  try {
    const { size } = await handle.stat()
    const from = Math.max(0, size - tailBytes)
    const bytes = Buffer.alloc(size - from)
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from)
    const lines = bytes.toString('utf8', 0, bytesRead).split('\n')
    // The first one is cut, and the last one is what follows the last newline.
    return lines
      .slice(from === 0 ? 0 : 1)
      .filter((line) => line !== '')
      .slice(-mostLines)
  } finally {
    await handle.close()
  }
}

/** The whole log, with what was rotated out of it before. */
export async function readWholeLog(path: string): Promise<string> {
  const paths = [path.replace(/\.log$/, '.old.log'), path]
  const parts = await Promise.all(paths.map((part) => ifThere(readFile(part, 'utf8'))))
  // Of one that is not there nothing is joined.
  return parts.join('')
}
