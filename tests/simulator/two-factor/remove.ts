import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { spendBackupCode } from './backup-codes.ts'
import { bearerEndpoint } from './credentials.ts'
import { methodId } from './fields.ts'
import { findMethod, removeMethod } from './methods.ts'
import { disable, type TwoFactorMethod } from './state.ts'
import type { TwoFactor } from './two-factor.ts'
import { proofFields, readProof, verify } from './verification.ts'

const body = z.strictObject({ ...proofFields, target_id: methodId.optional() })
type Body = z.output<typeof body>

/** Removes a method; without the last one 2FA is off (service API 4.7, `DELETE /api/v0/tfa/`). */
export function removeEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'DELETE',
    path: '/api/v0/tfa/',
    body,
    answer({ account, state, body: given }) {
      const target = given.target_id === undefined ? null : findMethod(state, given.target_id)
      const verified = verifyRemoval(twoFactor, account, given)
      const removed = target ?? verified
      if (removed !== null) removeMethod(state, removed)
      const left = state.methods.length
      if (left > 0) return { msg: 'The method was removed.', remaining_methods: left }
      disable(state)
      return { msg: '2FA Successfully Disabled' }
    },
  })
}

/** Takes the code or the backup code, once it is clear that something can be removed by it. */
function verifyRemoval(twoFactor: TwoFactor, account: Account, given: Body): TwoFactorMethod | null {
  const state = twoFactor.stateOf(account)
  const proof = readProof(given)
  if ('backupCode' in proof) {
    if (given.target_id === undefined) throw badRequest('body.target_id: required with backup_code')
    spendBackupCode(state, proof.backupCode)
    return null
  }
  if (proof.channel === 'email' && given.target_id === undefined && !state.isLegacy)
    throw badRequest('body.target_id: required with email, which is no method that could be removed')
  return verify(twoFactor, account, proof, 'change')
}
