import { badRequest } from '../api-error.ts'
import { refusal } from './refusals.ts'
import type { MethodKind, SmsMethod, TwoFactorMethod, TwoFactorState, TotpMethod } from './state.ts'

/** What every new method is made from. */
interface NewMethod {
  readonly id: number
  readonly label: string
  readonly nowMs: number
}

/** Adds a method with this number; the first of an account is its primary one. */
export function addSmsMethod(
  state: TwoFactorState,
  made: NewMethod & { readonly phoneNumber: string },
): void {
  const method: SmsMethod = { ...freshMethod(state, made), kind: 'sms', phoneNumber: made.phoneNumber }
  state.methods = [...state.methods, method]
}

/** Adds a method with this secret, of which the code of `lastStep` is used up. */
export function addTotpMethod(
  state: TwoFactorState,
  made: NewMethod & { readonly secret: string; readonly lastStep: number | null },
): void {
  const { secret, lastStep } = made
  const method: TotpMethod = { ...freshMethod(state, made), kind: 'totp', secret, lastStep }
  state.methods = [...state.methods, method]
}

function freshMethod(
  state: TwoFactorState,
  { id, label, nowMs }: NewMethod,
): Omit<SmsMethod, 'kind' | 'phoneNumber'> {
  const isPrimary = state.methods.length === 0
  return {
    id,
    label,
    isPrimary,
    failCount: 0,
    lockedUntilMs: null,
    createdAtMs: nowMs,
    lastUsedMs: nowMs,
  }
}

/** Removes a method; the oldest that is left takes over as the primary one. */
export function removeMethod(state: TwoFactorState, method: TwoFactorMethod): void {
  state.methods = state.methods.filter((each) => each !== method)
  const [oldest] = state.methods
  if (method.isPrimary && oldest !== undefined) makePrimary(state, oldest)
}

export function makePrimary(state: TwoFactorState, primary: TwoFactorMethod): void {
  for (const method of state.methods) method.isPrimary = method === primary
}

/** The method with this id; refuses if it is none of the account's. */
export function findMethod(state: TwoFactorState, id: number): TwoFactorMethod {
  const method = state.methods.find((each) => each.id === id)
  if (method === undefined) throw refusal('not_found', `this account has no 2FA method ${id}`)
  return method
}

/** The methods of one kind. */
export function smsMethods(state: TwoFactorState): readonly SmsMethod[] {
  return state.methods.filter((method) => method.kind === 'sms')
}

/** The method that a request means: the one with its id, else the only one of its kind, null if there is none. */
export function chooseMethod(state: TwoFactorState, kind: 'sms', id: number | undefined): SmsMethod | null
export function chooseMethod(state: TwoFactorState, kind: 'totp', id: number | undefined): TotpMethod | null
export function chooseMethod(
  state: TwoFactorState,
  kind: MethodKind,
  id: number | undefined,
): TwoFactorMethod | null
export function chooseMethod(
  state: TwoFactorState,
  kind: MethodKind,
  id: number | undefined,
): TwoFactorMethod | null {
  if (id !== undefined) {
    const method = findMethod(state, id)
    if (method.kind !== kind)
      throw badRequest(`body.tfa_method_id: method ${id} is ${method.kind}, not ${kind}`)
    return method
  }
  const [method, another] = state.methods.filter((each) => each.kind === kind)
  if (another !== undefined)
    throw badRequest(`body.tfa_method_id: needed, as the account has several ${kind} methods`)
  return method ?? null
}
