import { join } from 'node:path'
import { inspect } from 'node:util'
import electronLog from 'electron-log/node'
import type { Log } from '../domain/log.ts'
import type { Redactor } from '../domain/redact.ts'

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
  const path = join(folder, 'slipway.log')
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
