import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { FolderSync, type PushOrder } from '#services/files/push/sync.ts'
import type { Connect } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'
import { connectTo, localTreeOf } from '../instance.ts'

/** So many small files, in a hundred folders. */
export async function fillFolder(root: string, files: number): Promise<void> {
  const folders = Array.from({ length: Math.min(files, 100) }, (_, index) => join(root, `folder-${index}`))
  await Promise.all(folders.map((folder) => mkdir(folder)))
  await Promise.all(
    Array.from({ length: files }, (_, index) =>
      writeFile(join(root, `folder-${index % 100}`, `file-${index}.txt`), `number ${index}\n`),
    ),
  )
}

/** Of all files in a folder, by their paths from there. */
export async function sha256OfTree(root: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const hashed = files.map(async (path): Promise<[string, string]> => {
    const hash = createHash('sha256').update(await readFile(path))
    return [relative(root, path), hash.digest('hex')]
  })
  return new Map((await Promise.all(hashed)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

export interface SyncTestOptions {
  readonly local: string
  readonly address: SshAddress
  readonly localTree?: FileTree
  readonly acquire?: Connect
  /** By default there is no way back from a lost link. */
  readonly regain?: Connect
}

/** What the app makes of connections that are only connected. */
export function connectionsOf({ address, acquire, regain }: SyncTestOptions) {
  const lost: Connect = () => Promise.reject(new SshFailure({ kind: 'link-lost', detail: 'for good' }))
  return {
    acquire: acquire ?? connectTo(address),
    regain: regain ?? lost,
    openApart: () => Promise.resolve(null),
  }
}

/** The app's folder sync; its sessions end with the test. */
export function openSync(options: SyncTestOptions) {
  const sessions = new SessionPool(systemClock)
  onTestFinished(() => sessions.dispose())
  const sync = new FolderSync({
    localTree: options.localTree ?? localTreeOf(options.local),
    sessions,
    connections: connectionsOf(options),
    clock: systemClock,
    log: memoryLog(),
  })
  const push = (order: Partial<PushOrder> & Pick<PushOrder, 'remote'>) =>
    sync.push({
      ...{ instanceId: 1, local: options.local, honorGitignore: false, excludes: [] },
      signal: new AbortController().signal,
      ...order,
    })
  return { sync, push }
}
