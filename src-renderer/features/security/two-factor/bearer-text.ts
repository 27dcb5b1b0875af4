import type { ConnectedAccount } from '#shared/accounts/account-store.ts'

type Bearer = ConnectedAccount['bearer']

/** What an account's requests go by, in words, and the way to the other. */
export const bearerTexts: Readonly<
  Record<Bearer, { readonly text: string; readonly action: string; readonly chooses: Bearer }>
> = {
  'api-key': {
    text: 'All other requests use your API key. You can use the admin session for them until it ends or you quit Slipway. If the service refuses a request because the session ended, requests use your API key again.',
    action: 'Use admin session for all requests',
    chooses: 'admin-session',
  },
  'admin-session': {
    text: 'All other requests use the admin session, too, including those in the background, until it ends or you quit Slipway. 2FA sign-ins and checks of the API key still use the key.',
    action: 'Use API key',
    chooses: 'api-key',
  },
}
