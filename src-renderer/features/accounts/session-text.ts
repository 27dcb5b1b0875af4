/** Which requests use a 2FA session. */
export function sessionText({ isAdmin }: { readonly isAdmin: boolean }): string {
  const unless = isAdmin ? ', unless you choose the admin session for them in Security' : ''
  return `Slipway uses this session for two-factor authentication, and your API key for all other requests${unless}. When the session ends, Slipway tells you and uses your API key again.`
}

export const noSessionText =
  'No session. Requests use the API key. To start a session, sign in with 2FA in Security.'
