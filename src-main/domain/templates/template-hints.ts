import { readEnvFlags } from '../renting/env-flags.ts'
import { onstartLimit } from '../renting/onstart.ts'
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
    if (value.includes('\0')) return 'It holds a character that no program reads (NUL).'
    if (value.length > longText)
      return `${counted(value.length, 'character')}: the service may not take so many.`
  }
  switch (field) {
    case 'env':
      return readEnvFlags(content.env).some((item) => item.kind === 'other')
        ? 'Slipway knows -e and -p. Other flags are saved as they are; the service may not take them.'
        : null
    case 'image':
      return imageHint(content.image)
    case 'tag':
      return tagShape.test(content.tag)
        ? null
        : 'A tag usually has letters, digits, “_”, “.” and “-”, 128 at most, and not “.” or “-” first.'
    case 'onstart':
      return onstartHint(content.onstart)
    case 'jupyter_dir':
      return content.jupyter_dir === null || content.jupyter_dir.startsWith('/')
        ? null
        : 'It does not begin with “/”: where it leads is up to the image.'
    case 'docker_login_repo':
      return /\s|^[a-z]+:\/\//i.test(content.docker_login_repo)
        ? 'A registry is usually named without spaces and without https://, such as ghcr.io.'
        : null
    case 'docker_login_user':
      return /\s/.test(content.docker_login_user) ? 'The name of a user rarely has spaces.' : null
    case 'href':
      return content.href === '' || isWebAddress(content.href)
        ? null
        : 'Only an address that begins with https:// or http:// can be opened.'
    case 'repo':
      return /\s/.test(content.repo) ? 'The name of a repository rarely has spaces.' : null
    case 'recommended_disk_space':
      return content.recommended_disk_space > largestSizeGb
        ? `Slipway rents no more than ${largestSizeGb.toLocaleString('en')} GB.`
        : null
    default:
      return null
  }
}

function imageHint(image: string): string | null {
  if (/\s/.test(image)) return 'The name of an image has no spaces.'
  return image.length > longestImage ? 'No image has so long a name.' : null
}

/** The limit is one of creating an instance (service API 4.4, 8); of templates none is known. */
function onstartHint(script: string): string | null {
  const excess = Array.from(script).length - onstartLimit
  return excess > 0
    ? `${counted(excess, 'character')} more than an instance may be created with. The service may not start it: let it download the rest.`
    : null
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
