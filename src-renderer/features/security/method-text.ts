import type { TwoFactorMethod } from '#domain/two-factor/two-factor.ts'

const kindNames = { totp: 'Authenticator app', sms: 'Text message' } as const

/** What kind of method it is; one that this version does not know by the service's own word. */
export function methodKindText({ kind, kindName }: Pick<TwoFactorMethod, 'kind' | 'kindName'>): string {
  return kind === 'other' ? kindName : kindNames[kind]
}

/** How a method is called in sentences and lists. */
export function methodName(method: Pick<TwoFactorMethod, 'kind' | 'kindName' | 'label'>): string {
  return method.label.trim() || methodKindText(method)
}
