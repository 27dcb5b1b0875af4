/** What somebody pasted as the end of an OAuth flow. */
export type PastedRedirect =
  /** No address: the code alone, or anything else. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'granted'; readonly code: string; readonly state: string | null }
  /** The provider sent the browser back without a code (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'denied'; readonly error: string; readonly description: string | null }
  /** An address that says nothing of a code, such as that of the consent page itself. */
  | { readonly kind: 'nothing' }

/**
 * Reads the address to which a provider sends the browser after the consent (RFC 6749 section 4.1.2), whole or from
 * its `?` on. The parameters may also stand in the fragment.
 */
export function readRedirect(pasted: string): PastedRedirect {
  const text = pasted.trim()
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!isAddress && !/(?:^|[?#&])(?:code|error)=/.test(text)) return { kind: 'plain' }
  const parts = text.split(/[?#]/).slice(isAddress ? 1 : 0)
  for (const parameters of parts.map((part) => new URLSearchParams(part))) {
    const code = parameters.get('code')
    if (code) return { kind: 'granted', code, state: parameters.get('state') || null }
    const error = parameters.get('error')
    if (error) return { kind: 'denied', error, description: parameters.get('error_description') || null }
  }
  return { kind: 'nothing' }
}
