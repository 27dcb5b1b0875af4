import { watch, type FSWatcher } from 'node:fs'
import { join, sep } from 'node:path'
import type { WatchFault } from '../../../domain/files/project.ts'

export interface FolderWatchOptions {
  /** As Node names it. */
  readonly platform: string
  /** Something in one of the folders has changed, or may have. */
  readonly onChange: () => void
}

/** Far below what Linux lets a user watch (8,192 and more, for all programs). */
const mostFolders = 5_000

/**
 * Watches folders of this computer. Linux watches each by itself, so that what is left out, such as `node_modules`, costs
 * nothing; macOS and Windows watch a folder with all that is in it.
 */
export class FolderWatch {
  readonly #options: FolderWatchOptions
  readonly #watchers = new Map<string, FSWatcher>()
  #fault: WatchFault | null = null

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Why not all is watched; `null` when all is. */
  get fault(): WatchFault | null {
    return this.#fault
  }

  /**
   * @param folders the outermost first, and no others from now on
   * @returns whether one came to those that are watched: it may have changed before
   */
  update(folders: readonly string[]): boolean {
    const isEach = this.#options.platform === 'linux'
    const wanted = new Set(folders.slice(0, isEach ? mostFolders : 1))
    this.#fault = isEach && folders.length > mostFolders ? 'too-many-folders' : null
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      this.#watchers.delete(folder)
      watcher.close()
    }
    let isMore = false
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue
      if (!this.#add(folder, !isEach)) break
      isMore = true
    }
    return isMore
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #add(folder: string, recursive: boolean): boolean {
    const { onChange } = this.#options
    try {
      const watcher = watch(folder, { recursive, persistent: false }, (kind, name) => {
        // Another folder may have taken the place of one that is watched.
        if (kind === 'rename' && name !== null) this.#forget(join(folder, name))
        onChange()
      })
      this.#watchers.set(folder, watcher)
      watcher.on('error', (error) => {
        // A folder that is gone ends its own watch.
        this.#drop(folder, watcher)
        this.#note(error)
        onChange()
      })
      return true
    } catch (error) {
      this.#note(error)
      return hasCode(error, 'ENOENT')
    }
  }

  #forget(folder: string): void {
    if (!this.#watchers.has(folder)) return
    for (const [path, watcher] of this.#watchers)
      if (path === folder || path.startsWith(folder + sep)) this.#drop(path, watcher)
  }

  #drop(folder: string, watcher: FSWatcher): void {
    watcher.close()
    if (this.#watchers.get(folder) === watcher) this.#watchers.delete(folder)
  }

  #note(error: unknown): void {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EPERM')) return
    this.#fault = hasCode(error, 'ENOSPC') || hasCode(error, 'EMFILE') ? 'system-limit' : 'failed'
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
