import type { Page } from '@playwright/test'
import type { TwoFactorCode } from '#domain/base/two-factor-codes.ts'
import type { FixtureName } from '../../simulator/accounts.ts'
import type { OpenAccountOptions } from '../../simulator/open-account.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { button, freshTotp, type Owner, ownNumber, totpSecret, verifyBy } from './security-actions.ts'

export interface Scene {
  readonly page: Page
  readonly service: Simulator
  readonly owner: Owner
}

/** How the service comes to refuse with a code, and what the window shows of it. */
export interface Cause {
  readonly code: TwoFactorCode
  readonly account?: readonly [FixtureName, OpenAccountOptions]
  /** What comes before: in the window, at the service, and elsewhere. */
  readonly prepare: (scene: Scene) => Promise<void>
  /** What is refused. */
  readonly act: (scene: Scene) => Promise<void>
  /** What the window then asked for, in all. */
  readonly requests: readonly string[]
  /** What stays in the field of this label. */
  readonly kept?: readonly [label: string, value: string]
  /** What can be pressed to go on. */
  readonly next: string
  /** What is so besides. */
  readonly shows?: string | RegExp
}

export const both: readonly [FixtureName, OpenAccountOptions] = [
  'default',
  { twoFactorMethods: [{ method: 'totp' }, { method: 'sms', phone_number: ownNumber, label: 'Phone' }] },
]
export const smsId = ({ twoFactor }: Owner): number =>
  twoFactor.methods.find(({ method }) => method === 'sms')?.id ?? 0
/** A way by which a code is sent. It is taken when its code can be sent; the one of before was another kind. */
export async function choose(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('radio', { name }).check()
  await button(page, 'Send code').waitFor()
}
export const send = ({ page }: Scene) => button(page, 'Send code').click()

export async function logIn({ page }: Scene): Promise<void> {
  await button(page, 'Sign in').click()
}
export async function logInBySms(scene: Scene): Promise<void> {
  await logIn(scene)
  await choose(scene.page, /Phone/)
}
export async function logInByEmail(scene: Scene): Promise<void> {
  await logIn(scene)
  await choose(scene.page, /Email/)
}
export async function add({ page }: Scene, kind: 'Authenticator app' | 'Text message (SMS)'): Promise<void> {
  await button(page, 'Add a method').click()
  await button(page, kind).click()
}
export const byTotp = async ({ page, service, owner }: Scene): Promise<void> =>
  verifyBy(page, await freshTotp(service, totpSecret(owner)))
/** Up to the field for a new number. */
export async function newNumber(scene: Scene, number: string): Promise<void> {
  await add(scene, 'Text message (SMS)')
  await byTotp(scene)
  await scene.page.getByLabel('Phone number').fill(number)
}
export async function sent({ page }: Scene): Promise<void> {
  await page.getByText('A code is on its way').waitFor()
}

/** Up to the verification. */
export async function renewCodes({ page }: Scene): Promise<void> {
  await button(page, 'New backup codes').click()
  await button(page, 'Continue').click()
}
/** A code is on its way, by the way that `go` chooses. */
export async function withCodeSent(scene: Scene, go: (scene: Scene) => Promise<void>): Promise<void> {
  await go(scene)
  await send(scene)
  await sent(scene)
}
/** A code is typed; when it is refused it stays in its field. */
export const typing = (value: string): Pick<Cause, 'act' | 'kept'> => ({
  act: ({ page }) => verifyBy(page, value),
  kept: ['Code', value],
})
/** What the login is refused by leaves it as it is. */
export const atLogin = { prepare: logIn, requests: ['POST tfa/'], next: 'Verify' } as const

export const accountOf = ({ account = both }: Cause): readonly [FixtureName, OpenAccountOptions] => account
