/** That the account's requests go by an admin session, which the user has chosen on Security. */
export const adminSessionText = {
  mark: 'Admin session',
  title: 'Requests use your admin session.',
  until: 'They use your API key again when the session ends or you quit Slipway.',
  back: 'Use API key',
} as const
