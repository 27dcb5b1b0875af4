import { z } from 'zod'
import { badRequest } from '../api-error.ts'
import type { Endpoint } from '../endpoint.ts'
import { bearerEndpoint } from './credentials.ts'
import { channel, label, methodId } from './fields.ts'
import { chooseMethod, findMethod, makePrimary } from './methods.ts'
import { refusal } from './refusals.ts'
import { methodRecord, type TwoFactorMethod, type TwoFactorState } from './state.ts'
import type { TwoFactor } from './two-factor.ts'

const body = z
  .strictObject({
    tfa_method_id: methodId.optional(),
    tfa_method: channel.optional(),
    label: label.optional(),
    is_primary: z.boolean().optional(),
  })
  .refine((given) => given.label !== undefined || given.is_primary !== undefined, {
    error: 'nothing to change: label or is_primary is needed',
  })
type Body = z.output<typeof body>

/** Renames a method, makes it the primary one, or that no longer (service API 4.7, `PUT /api/v0/tfa/update/`). */
export function updateEndpoint(twoFactor: TwoFactor): Endpoint {
  return bearerEndpoint(twoFactor, {
    method: 'PUT',
    path: '/api/v0/tfa/update/',
    body,
    answer({ account, state, body: given }) {
      const method = methodToUpdate(state, given)
      if (given.is_primary === true) makePrimary(state, method)
      if (given.is_primary === false) method.isPrimary = false
      method.label = given.label ?? method.label
      return { success: true, msg: 'The method was updated.', method: methodRecord(account, method) }
    },
  })
}

function methodToUpdate(state: TwoFactorState, given: Body): TwoFactorMethod {
  const { tfa_method: kind, tfa_method_id: id } = given
  if (kind === 'email') throw refusal('invalid_tfa_method', 'e-mail is no method that could be updated')
  if (kind === undefined) {
    if (id === undefined) throw badRequest('body.tfa_method_id: needed, unless tfa_method is given')
    return findMethod(state, id)
  }
  const method = chooseMethod(state, kind, id)
  if (method === null) throw refusal('not_found', `this account has no ${kind} method`)
  return method
}
