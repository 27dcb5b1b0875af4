import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { openEndpoint } from './credentials.ts'
import { requireVerifiedEmail } from './delivery.ts'
import { secret } from './fields.ts'
import type { TwoFactor } from './two-factor.ts'

/** Sends a code by email (service API 4.7, `POST /api/v0/tfa/email/`). */
export function sendEmailEndpoint(twoFactor: TwoFactor): Endpoint {
  const { challenges, delivery } = twoFactor
  return openEndpoint(twoFactor, {
    method: 'POST',
    path: '/api/v0/tfa/email/',
    body: z.strictObject({ secret: secret.optional() }),
    answer({ account, body }) {
      requireVerifiedEmail(account, 'email')
      const challenge =
        body.secret === undefined
          ? challenges.create(account, 'bearer')
          : challenges.find(body.secret, account)
      challenges.addCode(challenge, 'email', delivery.sendEmail(account.email))
      return { success: true, msg: 'A code was sent to your e-mail address.', secret: challenge.secret }
    },
  })
}
