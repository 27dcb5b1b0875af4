import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { badRequest } from '../api-error.ts'
import type { CarrierState, OutboxEntry } from './delivery.ts'
import { twoFactorStatus } from './state.ts'
import type { StoreName, TwoFactor } from './two-factor.ts'

/** What can happen to an account outside the API. */
export const accountEvent = z.strictObject({
  email_verified: z.boolean().optional(),
  /** Its owner gives it this SSH key, for the instances that come. */
  ssh_key: z.string().optional(),
  /** Support flags the account, or clears it. */
  sms_fraud: z.boolean().optional(),
  /** The key by which the TOTP secret was encrypted is lost. */
  totp_secret: z.literal('unreadable').optional(),
})
export type AccountEvent = z.input<typeof accountEvent>

/** What surrounds the 2FA endpoints, in the hands of a test (controls.md). */
export interface TwoFactorWorld {
  /** Every code that was sent, the oldest first. */
  outbox(): readonly OutboxEntry[]
  /** Logs in by password, for the holder of this key: 2FA is to complete it. */
  login(key: string): { readonly tfa_secret: string }
  setCarrier(state: CarrierState): void
  setStore(name: StoreName, state: 'up' | 'down'): void
  happenTo(key: string, event: AccountEvent): void
}

export function createTwoFactorWorld(twoFactor: TwoFactor): TwoFactorWorld {
  const accountOf = (key: string): Account => twoFactor.accounts.authenticate(`Bearer ${key}`).account
  return {
    outbox: () => twoFactor.delivery.outbox(),
    login(key) {
      const account = accountOf(key)
      if (twoFactorStatus(twoFactor.stateOf(account)) === 'disabled')
        throw badRequest('body.key: this account has no 2FA, so its password is enough')
      return { tfa_secret: twoFactor.challenges.create(account, 'login').secret }
    },
    setCarrier: (state) => twoFactor.delivery.setCarrier(state),
    setStore(name, state) {
      if (state === 'down') twoFactor.storesDown.add(name)
      else twoFactor.storesDown.delete(name)
    },
    happenTo(key, event) {
      const account = accountOf(key)
      const state = twoFactor.stateOf(account)
      if (event.email_verified !== undefined)
        account.emailVerifiedAt = event.email_verified ? Math.floor(twoFactor.clock.nowSeconds()) : null
      if (event.ssh_key !== undefined) account.sshKey = event.ssh_key
      if (event.sms_fraud !== undefined) state.isFlaggedForSmsFraud = event.sms_fraud
      if (event.totp_secret === undefined) return
      for (const method of state.methods) if (method.kind === 'totp') method.secret = null
    },
  }
}
