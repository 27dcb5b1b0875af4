import type { Account } from '../accounts.ts'
import { maskPhoneNumber } from './phone-number.ts'

interface MethodBase {
  readonly id: number
  label: string
  isPrimary: boolean
  /** Failed verifications since the last one that passed, or since the last lockout. */
  failCount: number
  /** When its lockout ends, in milliseconds since the epoch. */
  lockedUntilMs: number | null
  readonly createdAtMs: number
  lastUsedMs: number
}

export interface SmsMethod extends MethodBase {
  readonly kind: 'sms'
  readonly phoneNumber: string
}

export interface TotpMethod extends MethodBase {
  readonly kind: 'totp'
  /** Base32; null when the service can no longer decrypt it. */
  secret: string | null
  /** Time step of the last code that was accepted. */
  lastStep: number | null
}

export type TwoFactorMethod = SmsMethod | TotpMethod
export type MethodKind = TwoFactorMethod['kind']
/** A way to prove who one is. */
export type Channel = MethodKind | 'email'

/** An authorization of a new method that waits for its code. */
export interface PendingAuthorization {
  readonly channel: Channel
  readonly methodId: number | undefined
}

/** All that 2FA knows of one account. */
export interface TwoFactorState {
  /** 2FA was on before methods had records of their own: the phone number on file is all there is. */
  isLegacy: boolean
  /** Number of the account itself, in E.164. */
  phoneNumberOnFile: string | null
  /** The oldest first. */
  methods: readonly TwoFactorMethod[]
  /** Those that are left. */
  backupCodes: ReadonlySet<string>
  /** Secrets from TOTP setups that became no method yet. */
  offeredTotpSecrets: ReadonlySet<string>
  pendingAuthorization: PendingAuthorization | null
  /** When the window for adding methods closes. */
  authorizedUntilMs: number
  isFlaggedForSmsFraud: boolean
  /** When codes were sent by SMS. */
  smsSentAtMs: readonly number[]
}

export const createState = (): TwoFactorState => ({
  isLegacy: false,
  phoneNumberOnFile: null,
  methods: [],
  backupCodes: new Set(),
  offeredTotpSecrets: new Set(),
  pendingAuthorization: null,
  authorizedUntilMs: 0,
  isFlaggedForSmsFraud: false,
  smsSentAtMs: [],
})

/** `tfa_status` of the user object (service API 2.5). */
export function twoFactorStatus(state: TwoFactorState): 'enabled' | 'disabled' | 'legacy' {
  if (state.isLegacy) return 'legacy'
  return state.methods.length > 0 ? 'enabled' : 'disabled'
}

/** Turns 2FA off: nothing is left to verify with, backup codes included. */
export function disable(state: TwoFactorState): void {
  state.isLegacy = false
  state.methods = []
  state.backupCodes = new Set()
}

/** The 2FA method as replies show it (service API 2.6): without any secret, the phone number masked. */
export function methodRecord(account: Account, method: TwoFactorMethod): object {
  return {
    id: method.id,
    user_id: account.id,
    method: method.kind,
    label: method.label,
    ...(method.kind === 'sms' ? { phone_number: maskPhoneNumber(method.phoneNumber) } : {}),
    is_primary: method.isPrimary,
    fail_count: method.failCount,
    locked_until: method.lockedUntilMs === null ? null : method.lockedUntilMs / 1000,
    created_at: method.createdAtMs / 1000,
    last_used: method.lastUsedMs / 1000,
  }
}
