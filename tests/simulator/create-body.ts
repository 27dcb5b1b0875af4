import { z } from 'zod'
import { ApiError, badRequest } from './api-error.ts'

const LONGEST_ONSTART_CHARACTERS = 4048
/** Disk of an instance whose request names none, in GB. */
const DEFAULT_DISK_GB = 8

/** `-p <host_port>:<container_port>`, with the protocol that container-run flags may add. */
const PORT_MAPPING = /^-p [1-9]\d{0,4}:[1-9]\d{0,4}(\/(tcp|udp))?$/

/** The volume to attach (service API 2.8). */
const volumeInfo = z
  .strictObject({
    create_new: z.boolean(),
    volume_id: z.int().positive(),
    size: z.number().positive().optional(),
    mount_path: z.string().min(1),
  })
  .refine((volume) => !volume.create_new || volume.size !== undefined, {
    path: ['size'],
    error: 'required when create_new is true',
  })

/** The body of a create request (service API 4.4). */
export const createBody = z.strictObject({
  image: z.string().min(1).optional(),
  disk: z.number().positive().optional(),
  onstart: z
    .string()
    .refine((script) => Array.from(script).length <= LONGEST_ONSTART_CHARACTERS, {
      error: `longer than ${String(LONGEST_ONSTART_CHARACTERS)} characters; compress and encode it`,
    })
    .optional(),
  template_hash_id: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
  volume_info: volumeInfo.optional(),
})
export type CreateBody = z.output<typeof createBody>

/** What an instance is made from, once all rules are applied. */
export interface InstanceOrder {
  readonly image: string
  readonly diskGb: number
  readonly onstart: string
  /** As requested, port mappings included. */
  readonly env: Readonly<Record<string, string>>
  readonly volumes: readonly object[]
}

/** Applies the rules that concern more than one field; refuses with what is wrong and where. */
export function instanceOrder(body: CreateBody): InstanceOrder {
  if (body.template_hash_id !== undefined) {
    throw new ApiError(
      404,
      'no_such_template',
      `there is no template with the hash_id ${body.template_hash_id}`,
    )
  }
  if (body.image === undefined) throw badRequest('body.image: required, as no template supplies it')
  const env = body.env ?? {}
  checkEnv(env)
  return {
    image: body.image,
    diskGb: body.disk ?? DEFAULT_DISK_GB,
    onstart: body.onstart ?? '',
    env,
    volumes: body.volume_info === undefined ? [] : [body.volume_info],
  }
}

function checkEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    const where = `body.env.${name}`
    if (name.startsWith('-')) {
      if (!PORT_MAPPING.test(name)) throw badRequest(`${where}: expected "-p <host_port>:<container_port>"`)
      if (value !== '1') throw badRequest(`${where}: a port mapping has the value "1"`)
    } else if (name === '' || /[=\0]/.test(name) || value.includes('\0')) {
      throw badRequest(`${where}: not a name or value that an environment can hold`)
    }
  }
}
