import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { renewBackupCodes, spendBackupCode } from './backup-codes.ts'
import { bearerEndpoint } from './credentials.ts'
import { addSmsMethod } from './methods.ts'
import { refusal } from './refusals.ts'
import { twoFactorStatus } from './state.ts'
import type { TwoFactor } from './two-factor.ts'
import { proofFields, readProof, verify } from './verification.ts'

/** Replaces all backup codes (service API 4.7, `PUT /api/v0/tfa/regen-backup-codes/`). */
export function regenerateEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'PUT',
    path: '/api/v0/tfa/regen-backup-codes/',
    body: z.strictObject(proofFields),
    answer({ account, state, body }) {
      const proof = readProof(body)
      if ('backupCode' in proof) spendBackupCode(state, proof.backupCode)
      else {
        if (twoFactorStatus(state) === 'disabled')
          throw refusal('2fa_verification_failed', 'there is nothing to verify with, as 2FA is off')
        verify(twoFactor, account, proof, 'change')
      }
      if (state.isLegacy && state.phoneNumberOnFile !== null) {
        const phoneNumber = state.phoneNumberOnFile
        addSmsMethod(state, {
          id: twoFactor.nextMethodId(),
          label: 'SMS',
          nowMs: twoFactor.clock.now(),
          phoneNumber,
        })
        state.isLegacy = false
      }
      return { msg: 'The backup codes were replaced.', backup_codes: renewBackupCodes(state) }
    },
  })
}
