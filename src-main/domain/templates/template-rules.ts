import type { TemplateContent, TemplateField } from './template-content.ts'
import { runtypes } from './template-runtype.ts'

export const diskHint = 'A number of GB above 0.'

/**
 * What is wrong with one field of a template that is about to be sent, and nothing that the service does not ask for
 * (service API 2.2); `null` for nothing. What is likely wrong is a hint: see `hintOfField`.
 */
export function problemOfField(field: TemplateField, content: TemplateContent): string | null {
  switch (field) {
    case 'name':
      return content.name === '' ? 'Give it a name.' : null
    case 'image':
      return content.image === '' ? 'Name a container image, such as ubuntu.' : null
    case 'runtype':
      return runtypes.some((runtype) => runtype === content.runtype) ? null : `One of ${runtypes.join(', ')}.`
    case 'recommended_disk_space':
      return content.recommended_disk_space > 0 ? null : diskHint
    default:
      return null
  }
}

/**
 * A user and the token belong together: either alone lets nobody in, and what is not used is empty (service API 2.2).
 * It is no hint, because the token goes lost with a restart, and the template would be made without it.
 */
export function tokenProblem(
  { docker_login_user: user }: TemplateContent,
  { hasToken, isNew }: { readonly hasToken: boolean; readonly isNew: boolean },
): string | null {
  if (hasToken && user === '') return 'Name the user of the registry that the token belongs to.'
  // Of a template that is there, nobody can see whether the service has its token.
  return isNew && !hasToken && user !== '' ? 'Enter the access token of this user, or remove the user.' : null
}
