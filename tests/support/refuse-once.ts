import type { TwoFactorCode } from '#domain/base/two-factor-codes.ts'
import type { Simulator } from '../simulator/simulator.ts'

/**
 * The next such request to a 2FA endpoint is refused by a code that a client which keeps to the API never causes,
 * as service API 7 says it; nothing is done.
 *
 * @param path below `/api/v0/`
 */
export function refuseOnce(
  { faults }: Pick<Simulator, 'faults'>,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  error: TwoFactorCode,
  status = 400,
): void {
  faults.add({ kind: 'refused', method, path: `/api/v0/${path}`, error, status })
}
