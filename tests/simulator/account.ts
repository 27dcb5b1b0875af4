import type { Account } from './accounts.ts'
import { type Endpoint, keyedEndpoint, noBody, noParams, noQuery } from './endpoint.ts'

/** The account endpoint (service API 4.2). */
export function accountEndpoints(): readonly Endpoint[] {
  return [
    keyedEndpoint({
      method: 'GET',
      path: '/api/v0/users/current/',
      access: 'user_read',
      params: noParams,
      query: noQuery,
      body: noBody,
      answer: ({ caller }) => userRecord(caller.account),
    }),
  ]
}

/** The user object (service API 2.5). */
export function userRecord(account: Account): object {
  return {
    id: account.id,
    email: account.email,
    full_name: account.fullName,
    credit: account.creditUsd,
    ssh_key: account.sshKey,
    tfa_status: account.tfaStatus,
    email_verified_at: account.emailVerifiedAt,
    is_admin: account.isAdmin,
  }
}
