import type { RentRequest } from '../domain/instance.ts'
import { onstartLimit } from '../domain/onstart.ts'
import { ProblemError } from '../domain/problem.ts'
import { rentBody, type RentBody } from '../domain/rent-body.ts'
import type { PublicKey } from '../domain/ssh-key.ts'

/**
 * What is sent for a rental.
 *
 * @throws ProblemError `invalid-input` when the key is to be added and there is none, or when the script is
 *   longer than the service takes
 */
export function createBody(request: RentRequest, publicKey: PublicKey | null): RentBody {
  const body = rentBody(request, request.addSshKey ? lineOf(publicKey) : null)
  const length = body.onstart?.length ?? 0
  if (length > onstartLimit)
    throw new ProblemError({
      kind: 'invalid-input',
      field: 'onstart',
      message: `The start script has ${length} characters; the service takes ${onstartLimit}.`,
    })
  return body
}

function lineOf(publicKey: PublicKey | null): string {
  if (publicKey) return publicKey.line
  throw new ProblemError({
    kind: 'invalid-input',
    field: 'addSshKey',
    message: 'There is no SSH key to add yet. Create one first.',
  })
}
