import { parseServiceAddress } from '../../domain/accounts/account.ts'
import { ProblemError } from '../../domain/base/problem.ts'

/** Where API keys are kept, seen from here; vault/ provides it. */
export interface ApiKeyStore {
  /** The key, if it was kept for this origin; otherwise for which one it was. */
  readonly read: (
    keyId: string,
    origin: string,
  ) => Promise<
    | { readonly kind: 'found'; readonly value: string }
    | { readonly kind: 'elsewhere'; readonly origin: string }
    | { readonly kind: 'absent' | 'missing' }
    | { readonly kind: 'locked' | 'unavailable'; readonly detail: string }
  >
  /** Resolves once the key can be read back. Throws `keychain-locked` when it cannot be kept there now. */
  readonly keep: (
    keyId: string,
    key: { readonly apiKey: string; readonly origin: string },
    keepIn: 'keychain' | 'memory',
  ) => Promise<{ readonly keptIn: 'keychain' | 'memory' }>
  readonly forget: (keyId: string) => Promise<void>
}

/**
 * The API key of an account. The address is from a file that others can write: what it names gets nothing before the
 * keychain agrees.
 *
 * @throws ProblemError address-changed, keychain-locked, keychain-unavailable, secret-missing
 */
export async function readApiKey(
  keys: Pick<ApiKeyStore, 'read'>,
  { keyId, serviceAddress }: { readonly keyId: string; readonly serviceAddress: string },
): Promise<string> {
  if (!parseServiceAddress(serviceAddress).ok)
    throw new ProblemError({ kind: 'address-changed', address: serviceAddress, keyIsFor: null })
  const { origin } = new URL(serviceAddress)
  const answer = await keys.read(keyId, origin)
  switch (answer.kind) {
    case 'elsewhere':
      throw new ProblemError({ kind: 'address-changed', address: origin, keyIsFor: answer.origin })
    case 'found':
      return answer.value
    case 'locked':
      throw new ProblemError({ kind: 'keychain-locked', detail: answer.detail })
    case 'unavailable':
      throw new ProblemError({ kind: 'keychain-unavailable', detail: answer.detail })
    case 'absent':
    case 'missing':
      throw new ProblemError({ kind: 'secret-missing', what: 'API key' })
  }
}
