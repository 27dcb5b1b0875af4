import type { AccountPages, FirstPage } from '../../app/create-app.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'

/** A page in the window. */
export interface Page {
  /**
   * Loads it anew, from the beginning; `path` is one of the window's routes, `null` the first one. `begun` is called
   * when the document of before is gone and that of this account is there.
   */
  readonly load: (what: {
    readonly account: string | null
    readonly path: string | null
    readonly begun: () => void
  }) => Promise<void>
  readonly show: () => void
  readonly hide: () => void
  readonly close: () => void
}

/** Whose a document is; in place of it `null` stands for a document that gives way to that of another account. */
export interface Served {
  readonly account: string | null
}

export interface AccountPagesOptions {
  /** Is loaded before the accounts are open. */
  readonly first: Pick<FirstPage, 'account' | 'path'>
  readonly opened: Promise<{
    readonly accountPages: Pick<Latest<AccountPages>, 'watch'>
    /** Where the page of an account begins; `null`: at the first one. */
    readonly pageOf: (account: string) => string | null
  }>
  /** Makes a page, still empty. `served` tells whose its document is whenever that hands over a port. */
  readonly make: (served: () => Served | null) => Page
  readonly log: Log
}

interface Shown {
  account: string | null
  served: Served | null
  readonly page: Page
}

/** The first run's page. */
const beforeConnecting = '/welcome'
/** The step of the first run that comes after an account is connected. */
const afterConnecting = '/welcome?step=machine'

/**
 * Keeps a page for each account that was looked at, and one of them in front; the others go on unseen, with their
 * terminals and whatever was begun in them. A page serves one account from its first line to its last: for another one
 * it is loaded anew, so that nothing that began under one account can end under another.
 *
 * Ends when the signal is aborted.
 */
export async function followAccountPages(
  { first, opened, make, log }: AccountPagesOptions,
  signal?: AbortSignal,
): Promise<void> {
  const pages = new Set<Shown>()

  function add(): Shown {
    const shown: Shown = { account: null, served: null, page: make(() => shown.served) }
    pages.add(shown)
    return shown
  }

  /** The document of before runs until the new one is there: what it asks for meanwhile nobody answers. */
  function load(shown: Shown, account: string | null, path: string | null): void {
    const served: Served = { account }
    shown.account = account
    shown.served = null
    const begun = (): void => {
      if (shown.account === account) shown.served = served
    }
    shown.page.load({ account, path, begun }).catch((error: unknown) => {
      log.error('A page could not be loaded', error)
    })
  }

  const begun = add()
  load(begun, first.account, first.account === null ? beforeConnecting : first.path)
  begun.page.show()

  // When it never comes, whoever starts it says why.
  const made = await opened.catch(() => null)
  if (made === null) return
  const { accountPages, pageOf } = made
  function beginningOf(front: string | null, fresh: string | null): string | null {
    if (front === null) return beforeConnecting
    return front === fresh ? afterConnecting : pageOf(front)
  }

  for await (const { front, ids, fresh } of accountPages.watch(signal)) {
    const isGone = ({ account }: Shown): boolean =>
      account === null ? front !== null : !ids.includes(account)
    let shown = [...pages].find(({ account }) => account === front)
    if (shown === undefined) {
      // Rather than a new one: the window is never without a page.
      shown = [...pages].find(isGone) ?? add()
      load(shown, front, beginningOf(front, fresh))
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
