import { z } from 'zod'
import { readEnvFlags } from '../renting/env-flags.ts'
import { filters } from '../fields/filter.ts'
import { isSameJson, jsonValue } from '../base/json-value.ts'
import { defaultDiskGb, defaultTag, type Template } from './template.ts'

/**
 * What a template says: all that can be edited (service API 2.2), with each default spelled out. Only the
 * registry's access token is missing: it goes one way, to the service.
 */
export const templateContent = z.object({
  name: z.string(),
  image: z.string(),
  tag: z.string(),
  desc: z.string(),
  readme: z.string(),
  env: z.string(),
  onstart: z.string(),
  /** `ssh`, `jupyter` or `args`; another one as it came. */
  runtype: z.string(),
  args_str: z.string(),
  ssh_direct: z.boolean(),
  use_ssh: z.boolean(),
  jup_direct: z.boolean(),
  jupyter_dir: z.string().nullable(),
  use_jupyter_lab: z.boolean(),
  docker_login_repo: z.string(),
  docker_login_user: z.string(),
  href: z.string(),
  repo: z.string(),
  extra_filters: filters,
  /** GB. */
  recommended_disk_space: z.number(),
  private: z.boolean(),
  volume_info: z.record(z.string(), jsonValue).nullable(),
})
export type TemplateContent = z.infer<typeof templateContent>
export type TemplateField = keyof TemplateContent

/** All fields that can be edited, in the order in which they are shown. */
export const templateFields = templateContent.keyof().options

/** Some of them, with their new values. */
export const templateChanges = templateContent.partial()
export type TemplateChanges = z.infer<typeof templateChanges>

/** A template that says nothing yet (service API 2.2: its defaults). */
export const emptyContent: TemplateContent = {
  name: '',
  image: '',
  tag: defaultTag,
  desc: '',
  readme: '',
  env: '',
  onstart: '',
  runtype: 'args',
  args_str: '',
  ssh_direct: false,
  use_ssh: false,
  jup_direct: false,
  jupyter_dir: null,
  use_jupyter_lab: false,
  docker_login_repo: '',
  docker_login_user: '',
  href: '',
  repo: '',
  extra_filters: {},
  recommended_disk_space: defaultDiskGb,
  private: false,
  volume_info: null,
}

/** What a template says. What it leaves out, or says in a shape that nobody knows, is as if it were not there. */
export function contentOf(template: Template): TemplateContent {
  const known = Object.entries(templateContent.shape).flatMap(([field, shape]) => {
    const parsed = shape.safeParse(Object.hasOwn(template, field) ? template[field] : undefined)
    return parsed.success ? [[field, parsed.data] as const] : []
  })
  return templateContent.parse({ ...emptyContent, ...Object.fromEntries(known) })
}

/** Only the fields that differ, with what they become: what an edit sends (service API 4.5). */
export function changesBetween(before: TemplateContent, after: TemplateContent): TemplateChanges {
  const changed = templateFields.filter((field) => !isSameField(field, before, after))
  return templateChanges.parse(Object.fromEntries(changed.map((field) => [field, after[field]])))
}

/** A content with some of its fields changed. */
export function withChanges(content: TemplateContent, changes: TemplateChanges): TemplateContent {
  return templateContent.parse({ ...content, ...changes })
}

/** Whether a field means the same in both. Flags and filters may be written in several ways. */
export function isSameField(field: TemplateField, one: TemplateContent, other: TemplateContent): boolean {
  if (one[field] === other[field]) return true
  if (field === 'env') return isSameJson(readEnvFlags(one.env), readEnvFlags(other.env))
  return isSameJson(one[field], other[field])
}

/** Whether both say the same. */
export function isSameContent(one: TemplateContent, other: TemplateContent): boolean {
  return templateFields.every((field) => isSameField(field, one, other))
}
