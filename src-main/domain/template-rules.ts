import { onstartLimit } from './onstart.ts'
import { largestSizeGb, longestImage } from './rent-request.ts'
import type { TemplateContent, TemplateField } from './template-content.ts'
import { runtypes } from './template-runtype.ts'

export const diskHint = `A number of GB above 0, ${largestSizeGb.toLocaleString('en')} at most.`

/** Longest text of a field, in UTF-16 units. The service names no limit; this is far more than anybody reads. */
export const longestTemplateText = 900_000

/** What a tag of a container image may be (OCI distribution specification). */
const tagShape = /^\w[\w.-]{0,127}$/

/** What is wrong with one field of a template that is about to be sent (service API 2.2, 8); `null` for nothing. */
export function problemOfField(field: TemplateField, content: TemplateContent): string | null {
  const value = content[field]
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'It holds a character that cannot be sent (NUL).'
    if (value.length > longestTemplateText)
      return `More than ${longestTemplateText.toLocaleString('en')} characters.`
  }
  switch (field) {
    case 'name':
      return content.name === '' ? 'Give it a name.' : null
    case 'image':
      return imageProblem(content.image)
    case 'tag':
      return tagShape.test(content.tag)
        ? null
        : 'Letters, digits, “_”, “.” and “-”, 128 at most, and not “.” or “-” first.'
    case 'runtype':
      return runtypes.some((runtype) => runtype === content.runtype) ? null : `One of ${runtypes.join(', ')}.`
    case 'onstart':
      return onstartProblem(content.onstart)
    case 'jupyter_dir':
      return content.jupyter_dir === null || content.jupyter_dir.startsWith('/')
        ? null
        : 'A folder inside the container, such as /workspace, or nothing.'
    case 'docker_login_repo':
      return /\s|^[a-z]+:\/\//i.test(content.docker_login_repo)
        ? 'The address of the registry without spaces and without https://, such as ghcr.io.'
        : null
    case 'docker_login_user':
      return /\s/.test(content.docker_login_user) ? 'The name of a user has no spaces.' : null
    case 'href':
      return content.href === '' || isWebAddress(content.href)
        ? null
        : 'An address that begins with https:// or http://, or nothing.'
    case 'repo':
      return /\s/.test(content.repo) ? 'The name of a repository has no spaces.' : null
    case 'recommended_disk_space':
      return content.recommended_disk_space > 0 && content.recommended_disk_space <= largestSizeGb
        ? null
        : diskHint
    default:
      return null
  }
}

/** A user and the token belong together: either alone lets nobody in. */
export function tokenProblem(
  { docker_login_user: user }: TemplateContent,
  { hasToken, isNew }: { readonly hasToken: boolean; readonly isNew: boolean },
): string | null {
  if (hasToken && user === '') return 'Name the user of the registry that the token belongs to.'
  // Of a template that is there, nobody can see whether the service has its token.
  return isNew && !hasToken && user !== '' ? 'Enter the access token of this user, or remove the user.' : null
}

function imageProblem(image: string): string | null {
  if (image === '') return 'Name a container image, such as ubuntu.'
  if (/\s/.test(image)) return 'The name of an image has no spaces.'
  return image.length > longestImage ? 'No image has so long a name.' : null
}

function onstartProblem(script: string): string | null {
  const excess = Array.from(script).length - onstartLimit
  return excess > 0
    ? `${excess.toLocaleString('en')} characters too many: the service starts no instance with more than ${onstartLimit.toLocaleString('en')}. Let it download the rest.`
    : null
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
