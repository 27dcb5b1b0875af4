import type { Endpoint } from '../endpoint.ts'
import { authorizeEndpoint, finishAuthorizationEndpoint } from './authorize.ts'
import { confirmEndpoint } from './confirm.ts'
import { loginEndpoint } from './login.ts'
import { regenerateEndpoint } from './regenerate.ts'
import { removeEndpoint } from './remove.ts'
import { sendEmailEndpoint } from './send-email.ts'
import { resendSmsEndpoint, sendSmsEndpoint } from './send-sms.ts'
import { statusEndpoint } from './status.ts'
import type { TwoFactor } from './two-factor.ts'
import { totpSetupEndpoint } from './totp-setup.ts'
import { updateEndpoint } from './update.ts'

/** The 2FA endpoints (service API 4.6 and 4.7), with the deprecated paths at the end. */
export function twoFactorEndpoints(twoFactor: TwoFactor): readonly Endpoint[] {
  return [
    statusEndpoint(twoFactor),
    loginEndpoint(twoFactor),
    removeEndpoint(twoFactor),
    sendEmailEndpoint(twoFactor),
    sendSmsEndpoint(twoFactor, { path: '/api/v0/tfa/sms/', exemptsAdmins: true }),
    resendSmsEndpoint(twoFactor, { path: '/api/v0/tfa/sms/resend/', exemptsAdmins: true }),
    totpSetupEndpoint(twoFactor),
    authorizeEndpoint(twoFactor),
    finishAuthorizationEndpoint(twoFactor),
    confirmEndpoint(twoFactor, { path: '/api/v0/tfa/confirm-new/', refusesLegacy: false }),
    updateEndpoint(twoFactor),
    regenerateEndpoint(twoFactor),
    sendSmsEndpoint(twoFactor, { path: '/api/v0/tfa/test/', exemptsAdmins: false }),
    resendSmsEndpoint(twoFactor, { path: '/api/v0/tfa/resend/', exemptsAdmins: false }),
    confirmEndpoint(twoFactor, { path: '/api/v0/tfa/test-submit/', refusesLegacy: true }),
  ]
}
