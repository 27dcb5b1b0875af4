import { formatSshAddress } from '#domain/ssh/ssh-address.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import type { LoginQuestion } from '#domain/ssh/ssh-login.ts'
import type { VaultView } from '#domain/vault/vault-view.ts'
import { entryName } from '#shared/vault/entry-name.ts'

type LoginState = Extract<ConnectionState, { kind: 'login' }>

/** Whose login it is: Slipway's words, whatever the host says of itself. */
export function loginTitle({ address, hop }: Pick<LoginState, 'address' | 'hop'>): string {
  const place = hop === undefined || hop.of === 1 ? '' : ` (${hop.place} of ${hop.of})`
  return `Log in to ${hop ? 'the jump host ' : ''}${formatSshAddress(address)}${place}`
}

/** What is to be done, and who asks for it. */
export function loginDescription({ method, user, name, instruction }: LoginQuestion): string {
  if (method === 'password' && name + instruction === '')
    return `Enter the password of “${user}” on this host.`
  const what = method === 'password' ? 'Enter the password of' : 'Answer the prompts to log in as'
  return `${what} “${user}”. Framed text comes from the host, not from Slipway.`
}

/** What stands beside the field of one answer. */
export function answerLabel({ prompts, canRemember }: LoginQuestion, at: number): string {
  if (canRemember) return 'Password'
  const what = prompts[at]?.isCode === true ? 'Code' : 'Answer'
  return prompts.length === 1 ? what : `${what} ${at + 1}`
}

/** Why it is asked again; `null` the first time. */
export function loginTrouble({ trouble, canRemember }: LoginQuestion): string | null {
  switch (trouble) {
    case 'refused':
      return canRemember ? 'The host refused this password.' : 'The host refused the login. Try again.'
    case 'kept-refused':
      return 'The host refused the remembered password.'
    case 'code-unavailable':
      return 'Couldn’t read the stored code. Type the code, or select another entry.'
    case 'too-late':
      return 'The host closed the connection before you answered. Answer again.'
    case null:
      return null
  }
}

/** Which prompt it is about: a stored code that couldn't be read is that of the first code that was asked for. */
export function troubledPrompt({ trouble, prompts }: LoginQuestion): number {
  return trouble === 'code-unavailable' ? prompts.findIndex(({ isCode }) => isCode) : 0
}

/** Where a remembered password goes. */
export function rememberText(canUseKeychain: boolean): string {
  return canUseKeychain
    ? 'In the keychain. Slipway sends it only to this host, while its host key stays the same.'
    : 'The keychain isn’t available, so Slipway remembers it until you quit.'
}

/** What the field of stored codes calls typing the code. */
export const typedCode = 'Type the code'

/**
 * Entries of the vault whose codes may go to a host. Those of the rental service aren’t offered: whoever runs the host
 * could use such a code there.
 */
export function storedCodes(
  view: Pick<VaultView, 'entries'> | null,
): readonly { readonly id: string; readonly name: string }[] {
  const entries = (view?.entries ?? []).filter(({ account }) => account === null)
  return entries.map((entry) => ({ id: entry.id, name: entryName(entry) }))
}
