import type { AccountState } from '#domain/accounts/account.ts'

export type ConnectedAccount = Extract<AccountState, { kind: 'connected' }>

/** What an account is called: its owner's name, else e-mail, else the service's host. */
export function accountName({ user, serviceAddress }: ConnectedAccount): string {
  const named = user?.full_name?.trim() || user?.email?.trim()
  return named || new URL(serviceAddress).host
}
