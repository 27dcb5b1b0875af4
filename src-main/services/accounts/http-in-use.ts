import { ownerOf } from '../../domain/base/account-identity.ts'
import { ProblemError } from '../../domain/base/problem.ts'
import type { ConnectedAccount } from './connected-account.ts'
import type { Http } from '../rental-api/http.ts'

/**
 * Speaks in the name of the account that is in use now, and of no other one that may be later: for work of several
 * requests.
 *
 * @throws ProblemError no-account
 */
export function httpInUse({ state, httpOf }: Pick<ConnectedAccount, 'state' | 'httpOf'>): Http {
  const account = state.value
  if (account.kind === 'none') throw new ProblemError({ kind: 'no-account' })
  return httpOf(ownerOf(account))
}
