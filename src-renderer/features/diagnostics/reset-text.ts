import type { ResetPart } from '#domain/reset.ts'

export interface ResetText {
  readonly title: string
  /** What is lost, and what that means for money or access. */
  readonly lost: string
}

export const resetTexts: Readonly<Record<ResetPart, ResetText>> = {
  window: {
    title: 'Window and terminals',
    lost: 'Where the window stood, which terminals were open, how they were split, and what they showed.',
  },
  preferences: {
    title: 'Settings',
    lost: 'Everything on the Settings page, columns, the last search, and which key files you chose. The files themselves stay.',
  },
  caches: {
    title: 'Remembered lists',
    lost: 'The last list of instances for when you are offline, and what is known of this computer’s clock. They are made again.',
  },
  'known-hosts': {
    title: 'Host keys',
    lost: 'Which machines you trust. Each asks again at its next connection: compare the fingerprints then.',
  },
  account: {
    title: 'Everything kept for this account',
    lost: 'Guards, so that nothing is stopped or destroyed by itself any more; saved searches, favourites, labels, drafts, forwards, and the journals that find a rental whose reply was lost. The account stays connected, and its machines go on and are charged.',
  },
  secrets: {
    title: 'Secrets in the keychain, and all accounts',
    lost: 'API keys, the SSH key, one-time passwords, backup codes, instance keys and passphrases, of all accounts. Without another copy you may be locked out of the account, and machines that only took this SSH key cannot be logged in to. Export the codes first.',
  },
}

/** What no reset touches. */
export const keptText =
  'Stays in any case: what is at the service (machines go on and are charged), files that you saved or copied, ~/.ssh, and the log. Secrets stay unless you choose them.'
