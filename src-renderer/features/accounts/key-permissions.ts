import { isUnreadAccount } from '#domain/accounts/account.ts'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import type { ConnectedAccount } from '#shared/accounts/account-store.ts'
import type { Tone } from '#ui/tone.ts'

interface Permission {
  readonly name: string
  readonly tone: Tone
  readonly answer: string
}

/**
 * What the key may do, as far as it has shown. The service has no way to ask (service API 2.9): only what was
 * tried is known, and nothing that costs money is tried for this.
 *
 * @param account its record is always read by the key
 * @param snapshot read by the account's bearer: by an admin session it says nothing of the key
 */
export function keyPermissions(
  account: Pick<ConnectedAccount, 'user' | 'userId' | 'bearer'> | null,
  snapshot: InstancesSnapshot | null,
): readonly Permission[] {
  return [
    { name: 'Read the account', ...accountReading(account) },
    { name: 'See instances', ...instanceReading(account?.bearer === 'admin-session' ? null : snapshot) },
    { name: 'Rent, stop, and destroy', tone: 'neutral', answer: 'Shown when you first do it' },
  ]
}

const yes = { tone: 'good', answer: 'Yes' } as const
const no = { tone: 'warning', answer: 'No' } as const
const notKnown = { tone: 'neutral', answer: 'Not known yet' } as const

function accountReading(account: Pick<ConnectedAccount, 'user' | 'userId'> | null): Omit<Permission, 'name'> {
  if (account === null) return notKnown
  if (isUnreadAccount(account)) return no
  return account.user === null ? notKnown : yes
}

function instanceReading(snapshot: InstancesSnapshot | null): Omit<Permission, 'name'> {
  if (snapshot?.problem?.kind === 'not-allowed') return no
  return snapshot === null || snapshot.fetchedAt === null ? notKnown : yes
}
