/** What Slipway does with an account and its key. */
export function connectText(hasKeychain: boolean): string {
  const place = hasKeychain ? 'in your system’s keychain' : 'in memory until you quit (no keychain found)'
  return `Use your account at a GPU rental service. Slipway checks the API key, then stores it ${place}. The key goes only to this service.`
}

/** How to create a key, in order. */
export const keySteps = [
  'Create a key in the service’s web console, with full access or limited to what you need.',
  'Copy the key right away and paste it here: the console shows it only once.',
] as const
export const limitedKeyText =
  'Limited keys work, too: Slipway tells you what a key can’t do. To revoke a key, delete it at the service.'

export const replaceHelp =
  'Slipway checks the key, stores it, and then removes the old key from the keychain.'
export const replacedText =
  'The new key is in use. If you no longer need the old key, delete it at the service.'

/** About logging in to instances, in the first run. */
export const sshTexts = {
  about:
    'You log in to instances with an SSH key. If you aren’t sure, create one here. You can also use an identity file or your SSH agent, and change everything later in Settings.',
  noKey: 'Without a key, you can rent machines but can’t log in to them.',
} as const

export const noCreditText =
  'This account has no credit, so the service may refuse to rent to you. You add credit with the service, not here.'

export const unverifiedText =
  'The email address isn’t verified, so the service can’t send 2FA codes to it. Verify it with the service first.'
