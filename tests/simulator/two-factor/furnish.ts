import { z } from 'zod'
import type { Account } from '../accounts.ts'
import { renewBackupCodes } from './backup-codes.ts'
import { label } from './fields.ts'
import { addSmsMethod, addTotpMethod } from './methods.ts'
import { createTotpSecret } from './one-time-password.ts'
import { NUMBERS, phoneNumber } from './phone-number.ts'
import type { TwoFactor } from './two-factor.ts'

/** A method that an account begins with. */
export const methodOrder = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('totp'), label: label.default('Authenticator') }),
  z.strictObject({ method: z.literal('sms'), label: label.default('SMS'), phone_number: phoneNumber }),
])
export type MethodOrder = z.input<typeof methodOrder>

export interface TwoFactorOptions {
  /** Phone number on file; only the legacy account has one without this. */
  readonly phoneNumber?: string | undefined
  /** Methods that are set up, with a set of backup codes; only multi-sms has some without this. */
  readonly methods?: readonly MethodOrder[] | undefined
}

/** The secrets of what an account begins with, as its owner would have kept them. */
export interface TwoFactorHeld {
  readonly methods: readonly {
    readonly id: number
    readonly method: 'sms' | 'totp'
    /** TOTP only. */
    readonly secret?: string
    /** SMS only, not masked. */
    readonly phone_number?: string
  }[]
  readonly backup_codes: readonly string[]
}

/** Gives a fresh account the 2FA of its fixture, or what the options say. */
export function furnish(
  twoFactor: TwoFactor,
  account: Account,
  options: TwoFactorOptions = {},
): TwoFactorHeld {
  const state = twoFactor.stateOf(account)
  const isLegacy = account.fixture === 'legacy'
  state.isLegacy = isLegacy
  state.phoneNumberOnFile = options.phoneNumber ?? (isLegacy ? NUMBERS.legacyAccount : null)
  const nowMs = twoFactor.clock.now()

  const methods = (options.methods ?? methodsOf(account)).map((each) => {
    const order = methodOrder.parse(each)
    const made = { id: twoFactor.nextMethodId(), label: order.label, nowMs }
    if (order.method === 'sms') {
      addSmsMethod(state, { ...made, phoneNumber: order.phone_number })
      return { id: made.id, method: order.method, phone_number: order.phone_number }
    }
    const { secret } = createTotpSecret(account.email)
    addTotpMethod(state, { ...made, secret, lastStep: null })
    return { id: made.id, method: order.method, secret }
  })
  return { methods, backup_codes: methods.length > 0 ? renewBackupCodes(state) : [] }
}

function methodsOf(account: Account): readonly MethodOrder[] {
  if (account.fixture !== 'multi-sms') return []
  return [
    { method: 'sms', phone_number: NUMBERS.firstOfMultiSms, label: 'Phone' },
    { method: 'sms', phone_number: NUMBERS.secondOfMultiSms, label: 'Work phone' },
  ]
}
