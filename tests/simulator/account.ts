import type { Account } from './accounts.ts'
import { type Endpoint, keyedEndpoint, noBody, noParams, noQuery } from './endpoint.ts'
import { type TwoFactorState, twoFactorStatus } from './two-factor/state.ts'
import type { TwoFactor } from './two-factor/two-factor.ts'

/** The account endpoint (service API 4.2). */
export function accountEndpoints(twoFactor: Pick<TwoFactor, 'stateOf'>): readonly Endpoint[] {
  return [
    keyedEndpoint({
      method: 'GET',
      path: '/api/v0/users/current/',
      access: 'user_read',
      params: noParams,
      query: noQuery,
      body: noBody,
      answer: ({ caller: { account } }) => userRecord(account, twoFactor.stateOf(account)),
    }),
  ]
}

/** What is left of the credit, to the cent's ten-thousandth. */
function creditOf({ creditUsd, chargesUsd }: Account): number {
  const spentUsd = [...chargesUsd.values()].reduce((sum, charge) => sum + charge(), 0)
  return Number((creditUsd - spentUsd).toFixed(6))
}

/** The user object (service API 2.5). */
export function userRecord(account: Account, twoFactor: TwoFactorState): object {
  return {
    id: account.id,
    email: account.email,
    full_name: account.fullName,
    credit: creditOf(account),
    ssh_key: account.sshKey,
    tfa_status: twoFactorStatus(twoFactor),
    email_verified_at: account.emailVerifiedAt,
    is_admin: account.isAdmin,
  }
}
