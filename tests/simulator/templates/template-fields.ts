import { createHash } from 'node:crypto'
import { z } from 'zod'
import { readEnvFlags } from '../env-flags.ts'
import { type FieldType, filtersShape, parseFilters } from '../offers/filters.ts'
import { OFFER_FIELDS } from '../offers/offer-fields.ts'

/** The flags are read at once, so that no template is stored that no instance could be made from. */
const env = z.string().superRefine((flags, context) => {
  const reading = readEnvFlags(flags)
  if (reading.kind === 'wrong') context.addIssue({ code: 'custom', message: reading.problem })
})

const shape = {
  name: z.string().min(1),
  image: z.string().min(1),
  tag: z.string().min(1),
  desc: z.string(),
  readme: z.string(),
  env,
  onstart: z.string(),
  runtype: z.enum(['ssh', 'jupyter', 'args']),
  args_str: z.string(),
  ssh_direct: z.boolean(),
  use_ssh: z.boolean(),
  jup_direct: z.boolean(),
  jupyter_dir: z.string().nullable(),
  use_jupyter_lab: z.boolean(),
  docker_login_repo: z.string(),
  docker_login_user: z.string(),
  docker_login_pass: z.string(),
  href: z.string(),
  repo: z.string(),
  extra_filters: filtersShape,
  recommended_disk_space: z.number().positive(),
  private: z.boolean(),
  /** A hint for windows only, so nothing is said about what is in it. */
  volume_info: z.record(z.string(), z.unknown()).nullable(),
} as const

/** The content of a template (service API 2.2). */
const templateFields = z.strictObject(shape)
export type TemplateFields = z.output<typeof templateFields>

/** The body that makes a template: the API names three defaults, the rest is as empty as can be. */
export const newTemplateBody = z.strictObject({
  ...shape,
  tag: shape.tag.default('latest'),
  desc: shape.desc.default(''),
  readme: shape.readme.default(''),
  env: shape.env.default(''),
  onstart: shape.onstart.default(''),
  runtype: shape.runtype.default('args'),
  args_str: shape.args_str.default(''),
  ssh_direct: shape.ssh_direct.default(false),
  use_ssh: shape.use_ssh.default(false),
  jup_direct: shape.jup_direct.default(false),
  jupyter_dir: shape.jupyter_dir.default(null),
  use_jupyter_lab: shape.use_jupyter_lab.default(false),
  href: shape.href.default(''),
  repo: shape.repo.default(''),
  extra_filters: shape.extra_filters.default({}),
  recommended_disk_space: shape.recommended_disk_space.default(8),
  private: shape.private.default(false),
  volume_info: shape.volume_info.default(null),
})

/** The body that edits one: its `hash_id` and the fields to change. */
export const templateEditBody = templateFields.partial().extend({ hash_id: z.string() })
export type TemplateChanges = Omit<z.output<typeof templateEditBody>, 'hash_id'>

/** Puts changes over the content of a template. */
export const withChanges = (fields: TemplateFields, changes: TemplateChanges): TemplateFields =>
  templateFields.parse({ ...fields, ...changes })

/** Refuses filters that no offer search would take. */
export function checkExtraFilters(given: TemplateFields['extra_filters'] = {}): void {
  parseFilters('body.extra_filters', given, OFFER_FIELDS)
}

/** The `hash_id` of somebody's content, of 32 hexadecimal digits: the same content has the same, any other another. */
export function hashOf(creatorId: number, fields: TemplateFields): string {
  // Parsing brings the fields into one order.
  const text = JSON.stringify([creatorId, templateFields.parse(fields)])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

/** By what templates can be searched (service API 2.2, second table); a float may be any number. */
export const TEMPLATE_SEARCH_FIELDS: ReadonlyMap<string, FieldType> = new Map([
  ['creator_id', 'integer'],
  ['created_at', 'number'],
  ['count_created', 'integer'],
  ['default_tag', 'string'],
  ['docker_login_repo', 'string'],
  ['id', 'integer'],
  ['image', 'string'],
  ['jup_direct', 'boolean'],
  ['hash_id', 'string'],
  ['name', 'string'],
  ['recent_create_date', 'number'],
  ['recommended_disk_space', 'number'],
  ['recommended', 'boolean'],
  ['ssh_direct', 'boolean'],
  ['tag', 'string'],
  ['use_ssh', 'boolean'],
])
