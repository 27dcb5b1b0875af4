import { join } from 'node:path'
import type { Clock } from '../../domain/base/clock.ts'
import type { IsOwn } from '../../domain/base/file-version.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { JsonFilePlace, StorageNotice } from './json-file.ts'

/** A folder that files are kept in. */
export interface Folder {
  readonly path: string
  readonly file: (name: string) => JsonFilePlace
  /** Files in it that could not be read in this run, or are a newer Slipway's. */
  readonly notices: Latest<readonly StorageNotice[]>
}

/** @param options.isOwn see `JsonFileOptions`; without it, nothing of older versions is this folder's */
export function openFolder({
  path,
  isOwn = () => false,
  clock,
  log,
}: {
  readonly path: string
  readonly isOwn?: IsOwn
  readonly clock: Clock
  readonly log: Log
}): Folder {
  const notices: Folder['notices'] = new Latest([])
  const onNotice = (notice: StorageNotice): void => {
    notices.set([...notices.value, notice])
    log.warn(`${notice.file}: ${notice.detail}`)
  }
  return { path, notices, file: (name) => ({ path: join(path, name), isOwn, clock, onNotice }) }
}
