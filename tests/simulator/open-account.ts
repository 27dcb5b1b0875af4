import type { Account, AccountOptions, Accounts, FixtureName } from './accounts.ts'
import { furnish, type MethodOrder, type TwoFactorHeld } from './two-factor/furnish.ts'
import type { TwoFactor } from './two-factor/two-factor.ts'

/** What an account is made of, beside its fixture. */
export interface OpenAccountOptions extends AccountOptions {
  /** Instances that are only listed. */
  readonly instances?: number | undefined
  /** Phone number on file; only the legacy account has one without this. */
  readonly phoneNumber?: string | undefined
  /** 2FA methods that are set up; only multi-sms has some without this. */
  readonly twoFactorMethods?: readonly MethodOrder[] | undefined
}

/** An account that a test may use. */
export interface OpenedAccount {
  readonly key: string
  readonly twoFactor: TwoFactorHeld
}

/** Makes a fresh account of that kind, with everything that belongs to it. */
export type OpenAccount = (fixture: FixtureName, options?: OpenAccountOptions) => OpenedAccount

export function createOpenAccount(parts: {
  readonly accounts: Accounts
  readonly twoFactor: TwoFactor
  readonly seedInstances: (account: Account, count: number) => void
}): OpenAccount {
  const { accounts, twoFactor, seedInstances } = parts
  return (fixture, { instances = 0, phoneNumber, twoFactorMethods, ...options } = {}) => {
    const { account, key } = accounts.create(fixture, options)
    seedInstances(account, instances)
    return { key, twoFactor: furnish(twoFactor, account, { phoneNumber, methods: twoFactorMethods }) }
  }
}
