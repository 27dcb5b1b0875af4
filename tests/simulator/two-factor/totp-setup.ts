import { type Endpoint, noBody } from '../endpoint.ts'
import { bearerEndpoint } from './credentials.ts'
import { createTotpSecret } from './one-time-password.ts'
import type { TwoFactor } from './two-factor.ts'

/** Offers a TOTP secret, which becomes a method by confirm-new (service API 4.7). */
export function totpSetupEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'POST',
    path: '/api/v0/tfa/totp-setup/',
    body: noBody,
    answer({ account, state }) {
      const { secret, uri } = createTotpSecret(account.email === '' ? String(account.id) : account.email)
      state.offeredTotpSecrets = new Set([...state.offeredTotpSecrets, secret])
      return { secret, provisioning_uri: uri }
    },
  })
}
