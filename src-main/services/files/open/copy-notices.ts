import type { Clock } from '../../../domain/base/clock.ts'
import type { Latest } from '../../../domain/base/latest.ts'
import type { EditedCopy } from '../../../domain/files/edited-copy.ts'
import { copyNotification } from '../../../domain/notifications/done-notifications.ts'
import type { Notification } from '../../../domain/notifications/notification.ts'

export interface CopyNoticesOptions {
  readonly copies: Pick<Latest<readonly EditedCopy[]>, 'value' | 'watch'>
  readonly notify: (notification: Notification) => void
  readonly clock: Pick<Clock, 'sleep'>
}

/** By then a connection may be back, and a program may have let go of the file that it writes. */
const patienceMs = 10_000

/**
 * Tells which edited files aren't uploaded, until the signal is aborted: their user looks at another program. Of an
 * instance each trouble is told once while any of its files has it: a program may save all of them at once.
 */
export async function tellOfCopies(
  { copies, notify, clock }: CopyNoticesOptions,
  signal: AbortSignal,
): Promise<void> {
  /** By copy. */
  let told: ReadonlyMap<string, Notification> = new Map()
  for await (const _ of copies.watch(signal)) {
    if (copies.value.some((copy) => copyNotification(copy) !== null))
      await clock.sleep(patienceMs, signal).catch(() => undefined) // over
    if (signal.aborted) return
    const now = new Map<string, Notification>()
    for (const copy of copies.value) {
      const before = told.get(copy.id)
      // While it's tried again its trouble isn't over.
      const notification = copy.state.kind === 'uploading' ? before : copyNotification(copy)
      if (notification) now.set(copy.id, notification)
    }
    const known = new Set([...told.values()].map(wordsOf))
    for (const notification of now.values()) {
      if (known.has(wordsOf(notification))) continue
      known.add(wordsOf(notification))
      notify(notification)
    }
    told = now
  }
}

function wordsOf({ title, body }: Notification): string {
  return `${title}\n${body}`
}
