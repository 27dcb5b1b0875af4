import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { accountUserId, qualifiedUserId, type AccountIdentity } from '../../domain/base/account-identity.ts'
import { stepFrom } from '../../domain/base/file-version.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Log } from '../../domain/base/log.ts'
import { accountLabel } from '../../domain/accounts/accounts.ts'
import { openFolder, type Folder } from '../storage/folder.ts'
import { openJsonFile, type JsonFile, type JsonFilePlace, type JsonFileShape } from '../storage/json-file.ts'

const keptAccount = accountLabel.extend({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  /** Under which the vault keeps its key. */
  keyId: z.string().min(1),
  /** Whether it may be used is said where a key would be sent to it (`account-key.ts`). */
  serviceAddress: z.string().refine((address) => URL.canParse(address)),
  userId: accountUserId,
  /** What may be shown of the key. */
  keyMask: z.string(),
})
export type KeptAccount = z.infer<typeof keptAccount>

const keptAccounts = z.object({
  accounts: z.array(keptAccount).readonly(),
  /** Which one was looked at last. */
  front: z.string().nullable(),
})
export type KeptAccounts = z.infer<typeof keptAccounts>

/** A color had its British name. */
const withColor = stepFrom(
  z.looseObject({
    accounts: z.array(
      z
        .looseObject({ colour: z.string() })
        .transform(({ colour, ...others }) => ({ ...others, color: colour })),
    ),
  }),
)

/** The id of an account's key was called the account's. */
const withKeyId = stepFrom(
  z.looseObject({
    accounts: z.array(
      z
        .looseObject({ accountId: z.string() })
        .transform(({ accountId, ...others }) => ({ ...others, keyId: accountId })),
    ),
  }),
)

export const accountsFile: JsonFileShape<KeptAccounts> = {
  schema: keptAccounts,
  steps: [withColor, withKeyId],
  fallback: { accounts: [], front: null },
}

/** The accounts that are kept for the next run, without their keys. @throws ProblemError storage-failed */
export function openAccountsFile(place: JsonFilePlace): Promise<JsonFile<KeptAccounts>> {
  return openJsonFile({ ...place, ...accountsFile })
}

/** Which account is in front when all of them are opened; `null` for none. */
export function frontOf({ accounts, front }: KeptAccounts): string | null {
  return accounts.some(({ id }) => id === front) ? front : (accounts[0]?.id ?? null)
}

/** With this account: in its place where it was there, otherwise last. */
export function withAccount({ accounts, front }: KeptAccounts, account: KeptAccount): KeptAccounts {
  const isKnown = accounts.some(({ id }) => id === account.id)
  return {
    accounts: isKnown
      ? accounts.map((one) => (one.id === account.id ? account : one))
      : [...accounts, account],
    front,
  }
}

/** Without the account of this id. */
export function withoutAccount({ accounts, front }: KeptAccounts, id: string): KeptAccounts {
  return { accounts: accounts.filter((one) => one.id !== id), front }
}

/**
 * Names an account on this computer, and the folder of its files: made of its address and the service's id of it, so
 * that a new key, and an account that comes back, finds what is there.
 */
export function accountFolderOf(owner: AccountIdentity): string {
  return folderOfOwner(qualifiedUserId(owner))
}

/** The account's folder in Slipway's; `null`: of what stands in where no account is connected. */
export function accountFolderPath(userData: string, id: string | null): string {
  return join(userData, 'accounts', id ?? 'none')
}

/** Opens it: of files of older versions, which had several accounts in one, the account's own part is read. */
export function openAccountFolder({
  userData,
  id,
  ...from
}: {
  readonly userData: string
  readonly id: string | null
  readonly clock: Clock
  readonly log: Log
}): Folder {
  return openFolder({
    ...from,
    path: accountFolderPath(userData, id),
    isOwn: (owner) => folderOfOwner(owner) === id,
  })
}

/** @param owner as `qualifiedUserId` names it */
function folderOfOwner(owner: string): string {
  return createHash('sha256').update(owner).digest('hex').slice(0, 16)
}
