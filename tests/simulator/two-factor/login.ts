import { z } from 'zod'
import { userRecord } from '../account.ts'
import { type Account, forbidden } from '../accounts.ts'
import type { Endpoint } from '../endpoint.ts'
import { spendBackupCode } from './backup-codes.ts'
import { openEndpoint, type Sender } from './credentials.ts'
import { SESSION_MS } from './limits.ts'
import { refusal } from './refusals.ts'
import type { TwoFactor } from './two-factor.ts'
import { proofFields, requireNoIdleSecret, verify } from './verification.ts'

const body = z.strictObject({ ...proofFields, admin: z.boolean().optional() })

/** Completes a login (service API 4.7, `POST /api/v0/tfa/`). */
export function loginEndpoint(twoFactor: TwoFactor): Endpoint {
  return openEndpoint(twoFactor, {
    method: 'POST',
    path: '/api/v0/tfa/',
    body,
    answer({ sender, account, state, body: given, headers }) {
      const { admin = false, backup_code: backupCode, code } = given
      if (admin && !account.isAdmin) throw forbidden('only an admin may have an admin session')
      // From those who are logged out it also tells who they are, whatever they verify by.
      if (sender.kind === 'account') requireNoIdleSecret(given)
      if (backupCode !== undefined) spendBackupCode(state, backupCode)
      else if (code === undefined) throw refusal('missing_auth_value', 'a code or a backup_code is needed')
      else {
        const { tfa_method: channel = 'sms', secret, tfa_method_id: methodId } = given
        verify(twoFactor, account, { channel, code, secret, methodId }, 'login')
      }
      const sessionKey = openSession(twoFactor, sender, account, admin ? 'admin' : 'user')
      if (sender.kind === 'logged-out') {
        twoFactor.challenges.finish(sender.login)
        headers.append('Set-Cookie', `session=${sessionKey}; Path=/; HttpOnly; SameSite=Strict`)
      }
      const codesLeft = state.backupCodes.size
      return {
        ...userRecord(account, state),
        ...(sender.kind === 'account' ? { session_key: sessionKey } : {}),
        ...(backupCode !== undefined && codesLeft > 0 ? { backup_codes_remaining: codesLeft } : {}),
        ...(state.isLegacy ? { legacy_tfa_user: true } : {}),
      }
    },
  })
}

function openSession(
  twoFactor: TwoFactor,
  sender: Sender,
  account: Account,
  session: 'user' | 'admin',
): string {
  const { accounts, clock } = twoFactor
  const categories = sender.kind === 'account' ? sender.categories : undefined
  const key = accounts.createSession(account, session, categories)
  clock.schedule(clock.now() + SESSION_MS, async () => accounts.revoke(key))
  return key
}
