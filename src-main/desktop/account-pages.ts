import type { Stage } from '../app.ts'
import type { Latest } from '../domain/latest.ts'
import type { Log } from '../domain/log.ts'

/** A page in the window. */
export interface Page {
  /** Loads it anew, from the beginning; `path` is one of the window's routes, `null` the first one. */
  readonly load: (path: string | null) => Promise<void>
  readonly show: () => void
  readonly hide: () => void
  readonly close: () => void
}

export interface AccountPagesOptions {
  readonly stage: Pick<Latest<Stage>, 'watch'>
  /** Makes a page, still empty. `account` tells whose it is whenever it hands over a port. */
  readonly make: (account: () => string | null) => Page
  readonly log: Log
}

interface Shown {
  account: string | null
  readonly page: Page
}

/** The step of the first run that comes after an account is connected. */
const afterConnecting = '/welcome?step=machine'

/**
 * Keeps a page for each account that was looked at, and one of them in front; the others go on unseen, with their
 * terminals and whatever was begun in them. A page serves one account from its first line to its last: for another one
 * it is loaded anew, so that nothing that began under one account can end under another.
 *
 * Ends when the signal is aborted.
 */
export async function followStage(
  { stage, make, log }: AccountPagesOptions,
  signal?: AbortSignal,
): Promise<void> {
  const pages = new Set<Shown>()

  function add(): Shown {
    const shown: Shown = { account: null, page: make(() => shown.account) }
    pages.add(shown)
    return shown
  }

  for await (const { front, ids, fresh } of stage.watch(signal)) {
    const isGone = ({ account }: Shown): boolean =>
      account === null ? front !== null : !ids.includes(account)
    let shown = [...pages].find(({ account }) => account === front)
    if (shown === undefined) {
      // Rather than a new one: the window is never without a page.
      shown = [...pages].find(isGone) ?? add()
      shown.account = front
      shown.page.load(front !== null && front === fresh ? afterConnecting : null).catch((error: unknown) => {
        log.error('A page could not be loaded', error)
      })
    }
    shown.page.show()
    for (const other of pages) {
      if (other === shown) continue
      other.page.hide()
      if (!isGone(other)) continue
      pages.delete(other)
      other.page.close()
    }
  }
}
