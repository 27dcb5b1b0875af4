import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountLeaving, accountsView, accountWords } from '../domain/accounts/accounts.ts'
import { nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })

/**
 * All accounts side by side. Every page is for one of them, and each call of it is about that one only: main knows
 * which page it is, the page names none. What is here is what one page may do about the others.
 */
export const accounts = {
  watch: procedure.output(eventIterator(accountsView)),
  /** Brings the account's page to the front. The others go on. */
  show: procedure.input(one).output(nothing),
  /** Brings the page to the front on which another account is connected. */
  add: procedure.output(nothing),
  describe: procedure.input(one.extend({ words: accountWords })).output(nothing),
  /** What signing out of the page's own account would end. */
  leaving: procedure.output(accountLeaving),
  /**
   * Forgets the page's own account, here and in the keychain, and closes the page. Instances go on running, and are
   * charged.
   */
  signOut: procedure.output(nothing),
}
