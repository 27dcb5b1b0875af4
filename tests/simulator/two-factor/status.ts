import { type Endpoint, noBody } from '../endpoint.ts'
import { bearerEndpoint } from './credentials.ts'
import { methodRecord, twoFactorStatus } from './state.ts'
import type { TwoFactor } from './two-factor.ts'

/** Shows what an account has of 2FA (service API 4.6). */
export function statusEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'GET',
    path: '/api/v0/tfa/status/',
    reads: true,
    body: noBody,
    answer: ({ account, state }) => ({
      success: true,
      tfa_enabled: twoFactorStatus(state) !== 'disabled',
      methods: state.methods.map((method) => methodRecord(account, method)),
      backup_codes_remaining: state.backupCodes.size,
      new_method_authorized: twoFactor.clock.now() < state.authorizedUntilMs,
    }),
  })
}
