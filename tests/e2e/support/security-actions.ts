import { expect, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import type { FixtureName } from '../../simulator/accounts.ts'
import type { JournalEntry } from '../../simulator/journal.ts'
import type { OpenAccountOptions } from '../../simulator/open-account.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import type { TwoFactorHeld } from '../../simulator/two-factor/furnish.ts'
import { connect } from './actions.ts'

/** Somebody with an account, who sits in front of the window with a phone and a mailbox. */
export interface Owner {
  readonly key: string
  /** What the account began with. */
  readonly twoFactor: TwoFactorHeld
  /** The last code that was sent. */
  readonly lastCode: (channel: 'sms' | 'email') => string
  /** Something that is done with the account elsewhere; the path is that below `/api/v0/tfa/`. */
  readonly elsewhere: (method: string, path: string, body: unknown) => Promise<Record<string, unknown>>
  /** Requests of the window to the 2FA endpoints since the last time that this was asked. */
  readonly requests: () => string[]
}

export const ownNumber = '+12025550148'
export const otherNumber = '+12025550177'

/** Connects a window that has no account yet, and opens Security. */
export async function openSecurity(
  page: Page,
  service: Simulator,
  fixture: FixtureName = 'default',
  options: OpenAccountOptions = {},
): Promise<Owner> {
  const { key, twoFactor } = service.account(fixture, options)
  const sentFrom = service.twoFactor.outbox().length
  await connect(page, { baseUrl: service.baseUrl, key })
  await expect(page.getByRole('heading', { name: 'This computer' })).toBeVisible()
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor authentication', exact: true })).toBeVisible()
  let seen = service.journal().length
  return {
    key,
    twoFactor,
    lastCode: (channel) => {
      const sent = service.twoFactor.outbox().slice(sentFrom)
      const entry = sent.findLast((each) => each.channel === channel)
      if (entry === undefined) throw new Error(`no code was sent by ${channel}`)
      return entry.code
    },
    elsewhere: async (method, path, body) => {
      const reply = await fetch(`${service.baseUrl}/api/v0/tfa/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as Record<string, unknown>
    },
    requests: () => {
      const journal = service.journal()
      const fresh = journal.slice(seen).filter(isTwoFactorWork)
      seen = journal.length
      return fresh.map(({ method, path }) => `${method} ${path.replace('/api/v0/', '')}`)
    },
  }
}

/** Asking for the state is no step of a procedure. */
function isTwoFactorWork({ method, path }: JournalEntry): boolean {
  return path.startsWith('/api/v0/tfa/') && method !== 'GET'
}

/** What an authenticator with this secret shows now. */
export function totp(service: Simulator, secret: string): string {
  return generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
}

/** The same after a step of which no code was used. */
export async function freshTotp(service: Simulator, secret: string): Promise<string> {
  await service.clock.advance(75 - ((service.clock.now() / 1000) % 30))
  return totp(service, secret)
}

export function totpSecret({ twoFactor }: Owner): string {
  return twoFactor.methods.find(({ method }) => method === 'totp')?.secret ?? ''
}

/** The procedure under way. */
export function panel(page: Page, title: string | RegExp) {
  return page.getByRole('region', { name: title })
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const code = (page: Page) => page.getByLabel('Code', { exact: true })
export const methods = (page: Page) => page.getByRole('list', { name: 'Methods' }).getByRole('listitem')

/** The code goes in by hand. */
export async function verifyBy(page: Page, value: string): Promise<void> {
  await code(page).fill(value)
  await button(page, 'Verify').click()
}

/** Another way: a code is typed when its own field has taken the place of the former one's. */
export async function chooseBackupCode(page: Page): Promise<void> {
  const choice = button(page, 'Use a backup code')
  await choice.click()
  await expect(choice).toHaveCount(0)
}

/** Asks how things stand, and waits for the answer. */
export async function askAgain(page: Page): Promise<void> {
  const ask = button(page, 'Refresh 2FA status')
  await ask.click()
  await expect(ask).toBeEnabled()
}

/** Has a code sent by the way that is chosen, and enters it. */
export async function verifyBySent(page: Page, owner: Owner, channel: 'sms' | 'email'): Promise<void> {
  await button(page, 'Send code').click()
  await expect(page.getByText('A code is on its way')).toBeVisible()
  await verifyBy(page, owner.lastCode(channel))
}

/** Passes the codes by without saving them. */
export async function declineCodes(page: Page): Promise<void> {
  await expect(button(page, 'Continue')).toHaveAccessibleDescription(/^To continue, save the codes above/)
  await button(page, 'Continue without saving').click()
  await page.getByLabel('Type “not saved”').fill('not saved')
  await button(page, 'Continue').click()
}

/** Begins with the first method of an account, up to the key of its authenticator app. */
export async function beginFirstTotp(page: Page, owner: Owner): Promise<void> {
  await button(page, 'Set up two-factor authentication').click()
  await button(page, 'Authenticator app').click()
  await verifyBySent(page, owner, 'email')
  await expect(page.getByLabel('Key', { exact: true })).toBeVisible()
}

/** Sets an authenticator app up, from its first step after the verification to its code; answers with the secret. */
export async function enrollTotp(page: Page, service: Simulator): Promise<string> {
  const shown = page.getByLabel('Key', { exact: true })
  await expect(shown).toBeVisible()
  const secret = (await shown.innerText()).replaceAll(/\s/g, '')
  await verifyBy(page, totp(service, secret))
  return secret
}

/** Has a text message sent and enters its code, from where the keyboard is. */
export async function verifyByPhone(page: Page, owner: Owner): Promise<void> {
  await expect(button(page, 'Send code')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('A code is on its way')).toBeVisible()
  await expect(code(page)).toBeFocused()
  await page.keyboard.type(owner.lastCode('sms'))
  await page.keyboard.press('Enter')
}
