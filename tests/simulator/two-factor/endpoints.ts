import type { Endpoint } from '../endpoint.ts'
import { authorizeEndpoint, finishAuthorizationEndpoint } from './authorize.ts'
import { confirmEndpoint } from './confirm.ts'
import { loginEndpoint } from './login.ts'
import { regenerateEndpoint } from './regenerate.ts'
import { removeEndpoint } from './remove.ts'
import { sendEmailEndpoint } from './send-email.ts'
import { resendSmsEndpoint, sendSmsEndpoint } from './send-sms.ts'
import { statusEndpoint } from './status.ts'
import type { Tfa } from './two-factor.ts'
import { totpSetupEndpoint } from './totp-setup.ts'
import { updateEndpoint } from './update.ts'

/** The 2FA endpoints (service API 4.6 and 4.7), with the deprecated paths at the end. */
export function tfaEndpoints(tfa: Tfa): readonly Endpoint[] {
  return [
    statusEndpoint(tfa),
    loginEndpoint(tfa),
    removeEndpoint(tfa),
    sendEmailEndpoint(tfa),
    sendSmsEndpoint(tfa, { path: '/api/v0/tfa/sms/', exemptsAdmins: true }),
    resendSmsEndpoint(tfa, { path: '/api/v0/tfa/sms/resend/', exemptsAdmins: true }),
    totpSetupEndpoint(tfa),
    authorizeEndpoint(tfa),
    finishAuthorizationEndpoint(tfa),
    confirmEndpoint(tfa, { path: '/api/v0/tfa/confirm-new/', refusesLegacy: false }),
    updateEndpoint(tfa),
    regenerateEndpoint(tfa),
    sendSmsEndpoint(tfa, { path: '/api/v0/tfa/test/', exemptsAdmins: false }),
    resendSmsEndpoint(tfa, { path: '/api/v0/tfa/resend/', exemptsAdmins: false }),
    confirmEndpoint(tfa, { path: '/api/v0/tfa/test-submit/', refusesLegacy: true }),
  ]
}
