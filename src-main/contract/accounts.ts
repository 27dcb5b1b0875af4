import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountState, pastedKey } from '../domain/accounts/account.ts'
import { signOutEffects, accountsView, accountLabel } from '../domain/accounts/accounts.ts'
import { keyPermissions } from '../domain/accounts/key-permissions.ts'
import { nothing, procedure } from './base.ts'

const one = z.object({ id: z.string() })
const newKey = z.object({
  apiKey: pastedKey,
  keepIn: z.enum(['keychain', 'memory']),
})

/**
 * All accounts side by side. Every page is for one of them, and each call of it is about that one only: main knows
 * which page it is, the page names none. What is here is what one page may do about the others, and about its own key.
 */
export const accounts = {
  watch: procedure.output(eventIterator(accountsView)),
  /** Brings the account's page to the front. The others go on. */
  show: procedure.input(one).output(nothing),
  /** Brings the page to the front on which another account is connected. */
  add: procedure.output(nothing),
  describe: procedure.input(one.extend({ words: accountLabel })).output(nothing),
  /** What signing out of the page's own account would end. */
  signOutEffects: procedure.output(signOutEffects),
  /**
   * Forgets the page's own account, here and in the keychain, and closes the page. Instances go on running, and are
   * charged.
   */
  signOut: procedure.output(nothing),
  /** Goes to an instance in one of the accounts that a link may have meant. */
  openInstance: procedure.input(z.object({ account: z.string(), id: z.number().int() })).output(nothing),
  /**
   * Checks the key against the service, then keeps it in the keychain and uses it: for the account whose key it is,
   * which is another one than the page's if it says so. The key goes in and never comes back. `keepIn: 'memory'` is the
   * choice of a user whose keychain is locked.
   */
  connect: procedure.input(newKey.extend({ serviceAddress: z.string().max(2048) })).output(nothing),
  /** The page's own account, as its key shows it. */
  key: {
    watch: procedure.output(eventIterator(accountState)),
    /** Puts another key of the account in the place of its key, once the service has accepted it. What is under way goes on. */
    replace: procedure.input(newKey).output(nothing),
    /** Asks the service for the account again. */
    check: procedure.output(nothing),
    /** Asks the service for something harmless of each category. What it answers is in the answer, not an error. */
    permissions: procedure.output(keyPermissions),
  },
}
