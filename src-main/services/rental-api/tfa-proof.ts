/** What proves who somebody is (service API 4.7). `methodId` is `null` where the account has no method records. */
export type Proof =
  | { readonly kind: 'totp'; readonly code: string; readonly methodId: number | null }
  /** `secret`: of the challenge that sent the code. */
  | { readonly kind: 'sms'; readonly code: string; readonly secret: string; readonly methodId: number | null }
  | { readonly kind: 'email'; readonly code: string; readonly secret: string }
  | { readonly kind: 'backup-code'; readonly backupCode: string }

/** Six digits out of what was typed or pasted (`123 456`); `null` when it is no code. */
export function parseSixDigits(typed: string): string | null {
  const bare = typed.replaceAll(/[\s\-\u2010-\u2015]/gu, '')
  return /^[0-9]{6}$/.test(bare) ? bare : null
}
