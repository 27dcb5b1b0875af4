import { ProblemError } from '../../../domain/base/problem.ts'
import type { TwoFactorVault } from '../parts.ts'

/**
 * Refuses while what the service shows once could not be kept. In memory it can always be: that is the user's
 * choice.
 *
 * @throws ProblemError keychain-locked, keychain-unavailable
 */
export async function requireKeychain(
  vault: Pick<TwoFactorVault, 'check'>,
  keepIn: 'keychain' | 'memory',
): Promise<void> {
  if (keepIn === 'memory') return
  const { kind, ...rest } = await vault.check()
  if (kind === 'available') return
  const detail = 'detail' in rest ? rest.detail : ''
  throw new ProblemError({ kind: kind === 'locked' ? 'keychain-locked' : 'keychain-unavailable', detail })
}
