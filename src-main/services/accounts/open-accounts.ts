import { rm } from 'node:fs/promises'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { DatedReply } from '../../domain/vault/clock-offset.ts'
import type { Folder } from '../storage/folder.ts'
import { accountFolderPath, frontOf, openAccountsFile } from './accounts-file.ts'
import { Accounts, type AccountsOptions } from './accounts.ts'
import { checkKey } from './check-key.ts'
import type { OpenAccount } from './opened-account.ts'
import { PageVisibility } from './page-visibility.ts'

export interface AccountsDependencies<S extends OpenAccount>
  extends Pick<AccountsOptions<S>, 'openAccount' | 'log'>, Omit<Parameters<typeof checkKey>[1], 'onDate'> {
  readonly file: Folder['file']
  /** The folder for everything that Slipway keeps on disk. */
  readonly userData: string
  /** Told which account will be in front, before any is opened; `null` for none. */
  readonly onFront: (id: string | null) => Promise<void>
  /** Told of each time that the service says. */
  readonly vault: { readonly correctedClock: { readonly note: (reply: DatedReply) => void } }
}

/**
 * Opens all accounts that are kept.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openAccounts<S extends OpenAccount>(
  from: AccountsDependencies<S>,
  lifetime: Lifetime,
): Promise<{ readonly accounts: Accounts<S>; readonly pageVisibility: PageVisibility }> {
  const { file, userData, openAccount, onFront, vault, log } = from
  const kept = await openAccountsFile(file('accounts.json'))
  await onFront(frontOf(kept.value))
  const accounts = new Accounts<S>({
    file: kept,
    openAccount,
    checkKey: (typed) => checkKey(typed, { ...from, onDate: vault.correctedClock.note }),
    removeFiles: (id) => rm(accountFolderPath(userData, id), { recursive: true, force: true }),
    log,
  })
  // Before they are open: where one cannot be opened, those before it end.
  lifetime.onEnd(() => accounts.dispose())
  lifetime.onWake(() => accounts.wake())
  await accounts.open()
  const pageVisibility = new PageVisibility()
  lifetime.follow((signal) => pageVisibility.follow(accounts.accountPages, signal))
  return { accounts, pageVisibility }
}
