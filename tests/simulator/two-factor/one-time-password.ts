import { generateSecret, generateURI, verifySync } from 'otplib'

const STEP_SECONDS = 30
const ISSUER = 'GPU Rental'

/** What an authenticator is given: the base32 secret, and the same as an otpauth URI (service API 4.7). */
export function createTotpSecret(label: string): { readonly secret: string; readonly uri: string } {
  const secret = generateSecret()
  return { secret, uri: generateURI({ secret, label, issuer: ISSUER }) }
}

/**
 * The time step (RFC 6238) that a code of six digits belongs to: now's or one of its neighbors, and later than
 * `afterStep`, that of the last code, as a code is good once; null if it fits none of them.
 */
export function stepOfCode(
  secret: string,
  code: string,
  nowMs: number,
  afterStep: number | null,
): number | null {
  const result = verifySync({
    secret,
    token: code,
    epoch: Math.floor(nowMs / 1000),
    period: STEP_SECONDS,
    epochTolerance: STEP_SECONDS,
    ...(afterStep === null ? {} : { afterTimeStep: afterStep }),
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}
