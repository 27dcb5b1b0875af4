import { z } from 'zod'
import { badRequest } from './api-error.ts'
import { HIGHEST_PORT, readEnvFlags } from './env-flags.ts'
import { filtersShape } from './offers/filters.ts'
import { checkExtraFilters, type TemplateFields } from './templates/template-fields.ts'
import type { Template } from './templates/templates.ts'

const LONGEST_ONSTART_CHARACTERS = 4048
/** Disk of an instance whose request names none, in GB. */
const DEFAULT_DISK_GB = 8
/** No machine has more, in GB. */
const LARGEST_DISK_GB = 100_000

const sizeGb = z.number().positive().max(LARGEST_DISK_GB)

/** `-p <host_port>:<container_port>`, with the protocol that container-run flags may add. */
const PORT_MAPPING = /^-p ([1-9]\d{0,4}):([1-9]\d{0,4})(\/(tcp|udp))?$/

/** The volume to attach (service API 2.8). */
const volumeInfo = z
  .strictObject({
    create_new: z.boolean(),
    volume_id: z.int().positive(),
    size: sizeGb.optional(),
    mount_path: z.string().min(1),
  })
  .refine((volume) => !volume.create_new || volume.size !== undefined, {
    path: ['size'],
    error: 'required when create_new is true',
  })

const isShortEnough = (script: string): boolean => Array.from(script).length <= LONGEST_ONSTART_CHARACTERS

/** The body of a create request (service API 4.4). */
export const createBody = z.strictObject({
  image: z.string().min(1).optional(),
  disk: sizeGb.optional(),
  onstart: z
    .string()
    .refine(isShortEnough, {
      error: `longer than ${String(LONGEST_ONSTART_CHARACTERS)} characters; compress and encode it`,
    })
    .optional(),
  template_hash_id: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  volume_info: volumeInfo.optional(),
  /** Not among the fields, but rule 3 of the precedence says what becomes of it. */
  extra_filters: filtersShape.optional(),
})
export type CreateBody = z.output<typeof createBody>

/** What an instance is made from, once all rules are applied. */
export interface InstanceOrder {
  readonly image: string
  readonly diskGb: number
  readonly onstart: string
  readonly runtype: TemplateFields['runtype']
  /** That of the template and of the request, port mappings included. */
  readonly env: Readonly<Record<string, string>>
  readonly volumes: readonly object[]
  /** Filters for the search of machines; the offer is chosen already, so they have no effect here. */
  readonly extraFilters: TemplateFields['extra_filters']
  readonly template: { readonly id: number; readonly hashId: string; readonly name: string } | null
}

/** What instances that are only listed were made from. */
export const LISTED_ORDER: InstanceOrder = {
  image: 'pytorch/pytorch:latest',
  diskGb: 40,
  onstart: '',
  runtype: 'ssh',
  env: {},
  volumes: [],
  extraFilters: {},
  template: null,
}

/**
 * Puts a request and the template that it names together (service API 4.4, "Precedence"), and applies the rules that
 * concern more than one field; refuses with what is wrong and where.
 */
export function instanceOrder(body: CreateBody, template: Template | null): InstanceOrder {
  const fields = template?.fields
  const image = body.image ?? (fields && withTag(fields.image, fields.tag))
  if (image === undefined) throw badRequest('body.image: required, as no template supplies it')
  checkEnv(body.env ?? {})
  checkExtraFilters(body.extra_filters)
  const onstart = body.onstart ?? fields?.onstart ?? ''
  if (!isShortEnough(onstart)) {
    throw badRequest(`the template's onstart is longer than ${String(LONGEST_ONSTART_CHARACTERS)} characters`)
  }
  return {
    image,
    diskGb: body.disk ?? fields?.recommended_disk_space ?? DEFAULT_DISK_GB,
    onstart,
    runtype: fields?.runtype ?? 'ssh',
    env: { ...envOf(fields), ...body.env },
    volumes: body.volume_info === undefined ? [] : [body.volume_info],
    extraFilters: { ...fields?.extra_filters, ...body.extra_filters },
    template: template && { id: template.id, hashId: template.hashId, name: template.fields.name },
  }
}

/** The tag is the template's default for images that name none, neither as a tag nor as a digest. */
const withTag = (image: string, tag: string): string => (/[:@][^/]*$/.test(image) ? image : `${image}:${tag}`)

function envOf(fields: TemplateFields | undefined): Readonly<Record<string, string>> {
  const reading = readEnvFlags(fields?.env ?? '')
  if (reading.kind === 'env') return reading.env
  throw badRequest(`the template's env: ${reading.problem}`)
}

function checkEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    const where = `body.env.${name}`
    if (name.startsWith('-')) {
      const [, ...ports] = PORT_MAPPING.exec(name) ?? []
      const [host, container] = ports.map(Number)
      if (!(Number(host) <= HIGHEST_PORT && Number(container) <= HIGHEST_PORT))
        throw badRequest(`${where}: expected "-p <host_port>:<container_port>"`)
      if (value !== '1') throw badRequest(`${where}: a port mapping has the value "1"`)
    } else if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw badRequest(`${where}: not a name or value that an environment can hold`)
    }
  }
}
