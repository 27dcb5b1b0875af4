import { envOfItems, readEnvFlags, type EnvItem } from '../renting/env-flags.ts'
import { fieldOf } from '../fields/field-format.ts'
import type { RentBody, VolumeInfo } from '../renting/rent-body.ts'
import { defaultDiskGb, imageOfTemplate, type Template } from './template.ts'

/** Where a value of the effective request comes from. */
export type ValueSource = 'template' | 'request' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly source: ValueSource
  /** What the template says instead; only there when the request wins over it. */
  readonly replaced?: T
}

/** One key of an object that is merged key by key. */
export interface MergedEntry<T> extends Sourced<T> {
  readonly name: string
}

/** What an instance is made from once template and request are put together. */
export interface EffectiveRequest {
  /** `null`: neither names one, and the service would refuse. */
  readonly image: Sourced<string> | null
  readonly diskGb: Sourced<number>
  readonly onstart: Sourced<string> | null
  readonly env: readonly MergedEntry<string>[]
  readonly extraFilters: readonly MergedEntry<unknown>[]
  /** Only the request attaches one: a template's is a hint (service API 2.2). */
  readonly volume: Sourced<VolumeInfo> | null
  /** Whatever else the template sets. A request cannot say it. */
  readonly further: readonly MergedEntry<unknown>[]
  /** Flags of the template that Slipway cannot read, so that nobody knows here what they become. */
  readonly unread: readonly Extract<EnvItem, { kind: 'other' }>[]
}

const furtherFields = [
  'runtype',
  'args_str',
  'ssh_direct',
  'use_ssh',
  'jup_direct',
  'jupyter_dir',
  'use_jupyter_lab',
  'docker_login_repo',
]

/** Puts a request and its template together by the rules of precedence (service API 4.4). */
export function effectiveRequest(template: Template | null, body: RentBody): EffectiveRequest {
  const flags = readEnvFlags(template?.env ?? '')
  return {
    image: overridden(template === null ? null : imageOfTemplate(template), body.image),
    diskGb: overridden(template?.recommended_disk_space, body.disk) ?? {
      value: defaultDiskGb,
      source: 'default',
    },
    onstart: overridden(template?.onstart === '' ? null : template?.onstart, body.onstart),
    env: merged<string>(envOfItems(flags), body.env ?? {}),
    extraFilters: merged<unknown>(extraFiltersOf(template), body.extra_filters ?? {}),
    volume: overridden(null, body.volume_info),
    further: template === null ? [] : furtherOf(template),
    unread: flags.filter((item) => item.kind === 'other'),
  }
}

/** Rule 1: what the request says counts instead of what the template says. */
function overridden<T>(ofTemplate: T | null | undefined, ofRequest: T | undefined): Sourced<T> | null {
  const isInTemplate = ofTemplate !== null && ofTemplate !== undefined
  if (ofRequest !== undefined)
    return { value: ofRequest, source: 'request', ...(isInTemplate && { replaced: ofTemplate }) }
  return isInTemplate ? { value: ofTemplate, source: 'template' } : null
}

/** Rules 2 and 3: both are kept, and of two with one name the request's counts. The template's come first. */
function merged<T>(
  ofTemplate: Readonly<Record<string, T>>,
  ofRequest: Readonly<Record<string, T>>,
): readonly MergedEntry<T>[] {
  const names = [...new Set([...Object.keys(ofTemplate), ...Object.keys(ofRequest)])]
  return names.flatMap((name) => {
    const both = overridden(
      Object.hasOwn(ofTemplate, name) ? ofTemplate[name] : undefined,
      Object.hasOwn(ofRequest, name) ? ofRequest[name] : undefined,
    )
    return both === null ? [] : [{ name, ...both }]
  })
}

function extraFiltersOf(template: Template | null): Readonly<Record<string, unknown>> {
  const filters = template === null ? null : fieldOf(template, 'extra_filters')
  return typeof filters === 'object' && filters !== null && !Array.isArray(filters) ? { ...filters } : {}
}

function furtherOf(template: Template): readonly MergedEntry<unknown>[] {
  return furtherFields.flatMap((name) => {
    const value = fieldOf(template, name)
    const isUnset = value === undefined || value === null || value === '' || value === false
    return isUnset ? [] : [{ name, value, source: 'template' as const }]
  })
}
