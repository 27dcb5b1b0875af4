export const addEntryTexts = {
  keyHelp: 'As the service shows it. Spaces don’t matter.',
  missingName: 'Enter the service or the account, so that you recognize this entry.',
  uriHelp: 'The text of a QR code for authenticator apps: otpauth://totp/…',
  pictureHelp:
    'A screenshot or photo of the QR code. Slipway reads it on this computer and doesn’t save it. Delete the file afterward.',
} as const

export const addCodesTexts = {
  about:
    'For the connected account. Slipway suggests the next code when you need one, and tracks used codes.',
  help: 'One per line, or separated by spaces.',
} as const

export const codesAbout = 'Each code lets anyone sign in once. Slipway uses the first unused code next.'
export const revealAbout =
  'Anyone who sees this key can generate your codes. Scan it with another authenticator, or enter it there.'

/** What the confirmation of a removal says. */
export const removeTexts = {
  codes: 'The codes are deleted from this computer. You can’t undo this.',
  codesVoid: 'The service no longer accepts them.',
  codesSure: 'I have these codes elsewhere, or don’t need them',
  entryNeeded:
    'If the service still asks for codes of this secret, this computer can’t generate them anymore. Without another authenticator or backup codes, you’re locked out.',
  entryUnused: 'The service no longer has this method, so nothing asks for its codes.',
  entrySure: 'I can sign in another way, or don’t need this account',
} as const

/** What the service does with codes that are removed here. */
export function stillAcceptedText(account: string): string {
  return `The service may still accept them for ${account}.`
}

const plainConsent = 'Export my secrets in plain text'
export const exportTexts = {
  encryptedAbout: 'One-time passwords and backup codes, to restore them in Slipway on any computer.',
  plainAbout: 'One-time passwords only, as otpauth addresses for other authenticators.',
  plainConsent,
  plainOff: `To export, select “${plainConsent}”.`,
  plainRisk: 'Anyone with the file can read them, and so can any program.',
  encryptedDone:
    'Without the passphrase, no one can open it, including you. Store a copy outside this computer.',
  plainDone:
    'Anyone who reads the file can generate your codes. Import it where you need it, then delete it.',
} as const

/** Why a passphrase has to be long. */
export function tooShortText(shortest: number): string {
  return `Use at least ${shortest} characters: someone who finds the file can try passphrases for years.`
}

/** What a tested export doesn't have. */
export function lacksText(lacks: readonly string[]): string {
  return lacks.length > 0
    ? `Missing from it: ${lacks.join('; ')}.`
    : 'It has all one-time passwords and backup codes of your vault.'
}

/** After the screen was locked, the computer slept, or nobody used it. */
export const clearedText =
  'The secrets that you entered here were cleared: this computer was inactive, asleep, or locked.'
