import type { Clock } from '../../../domain/base/clock.ts'
import { Changes } from './changes.ts'
import { FolderWatch } from './folder-watch.ts'
import type { ProjectPush } from './project-push.ts'

export interface PushOnSaveOptions {
  readonly push: Pick<ProjectPush, 'pushChanges' | 'setWatchFault' | 'wait'>
  /** As Node names it. */
  readonly platform: string
  /** Whether the instance can be reached. */
  readonly isUp: () => boolean
  /** Resolves when `isUp` may have changed, or the signal is aborted. */
  readonly whenTold: (signal: AbortSignal) => Promise<void>
  readonly clock: Clock
}

/** After a push that failed, growing; a change doesn't cut it short, or each line of a log would ask the instance again. */
const firstPauseMs = 5_000
const longestPauseMs = 60_000
/** Without a change: for what no system tells, such as changes on a network drive. */
const idleMs = 60_000

/**
 * Pushes what changes here until the signal is aborted, begun with what changed before. A push that failed is tried again
 * after a pause, with what changed meanwhile.
 */
export async function pushOnSave(options: PushOnSaveOptions, signal: AbortSignal): Promise<void> {
  const { push, platform, clock } = options
  const changes = new Changes(clock)
  const watch = new FolderWatch({ platform, onChange: changes.note })
  const onFolders = (folders: readonly string[]): void => {
    // What was made in a folder before it was watched, nobody tells.
    if (watch.update(folders)) changes.note()
    push.setWatchFault(watch.fault)
  }
  const whenUp = async (): Promise<void> => {
    while (!options.isUp()) {
      push.wait(true)
      await options.whenTold(signal)
      signal.throwIfAborted()
    }
    push.wait(false)
  }
  let pauseMs = firstPauseMs
  try {
    while (!signal.aborted) {
      await changes.settled(signal)
      const seen = changes.count
      const outcome = await push.pushChanges(signal, onFolders, whenUp)
      if (outcome === 'failed') {
        await clock.sleep(pauseMs, signal).catch(() => undefined) // the end
        pauseMs = Math.min(longestPauseMs, pauseMs * 2)
        continue
      }
      pauseMs = firstPauseMs
      if (changes.count === seen) await changes.next(idleMs, signal)
    }
  } finally {
    watch.close()
    push.setWatchFault(null)
    push.wait(false)
  }
}
