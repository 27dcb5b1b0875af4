import { z } from 'zod'
import type { TemplateContent } from './template-content.ts'

/** What is known of a draft's registry token, which is kept in memory only. */
export const draftToken = z.enum([
  'none',
  /** Entered, and sent with the next save. */
  'held',
  /** The next save removes the one that the service has. */
  'removed',
  /** Entered in an earlier run of Slipway, or deleted with its template: nobody here has it. */
  'lost',
])
export type DraftToken = z.infer<typeof draftToken>

/** Whether the next save of an edit says something about the token. */
export function isTokenChange(token: DraftToken): boolean {
  return token === 'held' || token === 'removed'
}

/** A template that was meant to have a token is not saved without it, unless the user says so; `null` for nothing wrong. */
export function tokenProblem(token: DraftToken): string | null {
  return token === 'lost' ? 'Enter the token again, or clear it to save without one.' : null
}

/**
 * What is likely wrong with the token; `null` for nothing. The service does not say that user and token belong together
 * (service API 2.2), so it stops nothing.
 *
 * @param isNew whether the template is about to be created: of another one, nobody sees whether the service has its token
 */
export function tokenHint(
  { docker_login_user: user }: TemplateContent,
  { token, isNew }: { readonly token: DraftToken; readonly isNew: boolean },
): string | null {
  if (token === 'held') return user === '' ? 'A registry usually wants a user with the token.' : null
  const isWithout = token === 'removed' || (isNew && token === 'none')
  return isWithout && user !== '' ? 'A registry usually wants a token with the user.' : null
}

/** Whether the service may have a token for a template: it never shows one. */
export function mayHaveToken(template: {
  readonly docker_login_repo?: string | null | undefined
  readonly docker_login_user?: string | null | undefined
}): boolean {
  return Boolean(template.docker_login_repo) || Boolean(template.docker_login_user)
}
