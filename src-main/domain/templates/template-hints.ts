import { readEnvFlags } from '../renting/env-flags.ts'
import { onstartLimit } from '../renting/onstart.ts'
import { formatDecimals } from '../base/format-locale.ts'
import { counted } from '../base/plural.ts'
import { largestSizeGb, longestImage } from '../renting/rent-request.ts'
import type { TemplateContent, TemplateField } from './template-content.ts'

/** More than this, in UTF-16 units, is rather pasted by mistake than meant. */
const longText = 900_000

/** What a tag of a container image may be (OCI distribution specification). */
const tagShape = /^\w[\w.-]{0,127}$/

/**
 * What is likely wrong with one field of a template, although the service does not say that it refuses it
 * (service API 2.2); `null` for nothing. It stops nothing: the service decides.
 */
export function hintOfField(field: TemplateField, content: TemplateContent): string | null {
  const value = content[field]
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'Contains a NUL character, which programs can’t read.'
    if (value.length > longText)
      return `${counted(value.length, 'character')}: the service may not accept so many.`
  }
  switch (field) {
    case 'env':
      return readEnvFlags(content.env).some((item) => item.kind === 'other')
        ? 'Slipway knows -e and -p. It saves other flags unchanged; the service may not accept them.'
        : null
    case 'image':
      return imageHint(content.image)
    case 'tag':
      return tagShape.test(content.tag)
        ? null
        : 'A tag usually has up to 128 letters, digits, “_”, “.”, and “-”, and doesn’t start with “.” or “-”.'
    case 'onstart':
      return onstartHint(content.onstart)
    case 'jupyter_dir':
      return content.jupyter_dir === null || content.jupyter_dir.startsWith('/')
        ? null
        : 'Doesn’t start with “/”: the image decides where the folder is.'
    case 'docker_login_repo':
      return /\s|^[a-z]+:\/\//i.test(content.docker_login_repo)
        ? 'A registry usually has no spaces and no https://, such as ghcr.io.'
        : null
    case 'docker_login_user':
      return /\s/.test(content.docker_login_user) ? 'A username rarely has spaces.' : null
    case 'href':
      return content.href === '' || isWebAddress(content.href)
        ? null
        : 'Only addresses that start with https:// or http:// can be opened.'
    case 'repo':
      return /\s/.test(content.repo) ? 'A repository name rarely has spaces.' : null
    case 'recommended_disk_space':
      return content.recommended_disk_space > largestSizeGb
        ? `Slipway rents no more than ${formatDecimals(largestSizeGb, 0)} GB.`
        : null
    default:
      return null
  }
}

function imageHint(image: string): string | null {
  if (/\s/.test(image)) return 'An image name has no spaces.'
  return image.length > longestImage ? 'The image name is too long.' : null
}

/** The limit is one of creating an instance (service API 4.4, 8); of templates none is known. */
function onstartHint(script: string): string | null {
  const excess = Array.from(script).length - onstartLimit
  return excess > 0
    ? `${counted(excess, 'character')} over the limit for creating an instance, so the script may not start. Download the rest from within the script.`
    : null
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
