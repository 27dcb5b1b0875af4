import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { accountState, pastedKey } from '../domain/accounts/account.ts'
import { nothing, procedure } from './base.ts'

export const account = {
  watch: procedure.output(eventIterator(accountState)),
  /**
   * Checks the key against the service, then keeps it in the keychain and uses it: for the account whose key it is,
   * which is another one than the page's if it says so. The key goes in and never comes back. `keepIn: 'memory'` is the choice of a user whose keychain is locked.
   */
  connect: procedure
    .input(
      z.object({
        serviceAddress: z.string().max(2048),
        apiKey: pastedKey('The API key is missing.'),
        keepIn: z.enum(['keychain', 'memory']),
      }),
    )
    .output(nothing),
  /** Puts another key of the account in the place of its key, once the service has accepted it. What is under way goes on. */
  replaceKey: procedure
    .input(z.object({ apiKey: pastedKey('The API key is missing.'), keepIn: z.enum(['keychain', 'memory']) }))
    .output(nothing),
  /** Asks the service for the account again. */
  check: procedure.output(nothing),
}
