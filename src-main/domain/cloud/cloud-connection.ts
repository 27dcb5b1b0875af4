import { z } from 'zod'
import { saying, type InputFault } from '../base/input-fault.ts'
import { problem } from '../base/problem.ts'
import { serviceLine } from '../rental-api/service-text.ts'

/** Longest name or kind that is shown of a connection, in UTF-16 units. */
const longestName = 200
const nameOfService = z
  .string()
  .catch('')
  .transform((text) => serviceLine(text, longestName))

/**
 * A linked cloud storage account, as the service lists it (service API 2.1). The record has fields that the API does
 * not show; they may hold a secret of the provider, so none of them is let through.
 */
export const cloudConnection = z.object({
  id: z.number(),
  /** The kind of its provider; one that Slipway does not know is shown as it is. */
  cloud_type: nameOfService,
  user_given_name: nameOfService,
})
export type CloudConnection = z.infer<typeof cloudConnection>

/** The account's connections; one that nobody can read hides none of the others. */
export const cloudList = z.object({
  connections: z.array(cloudConnection).readonly(),
  /** How many more there are that are no connections as the API describes them. */
  unreadable: z.number().int(),
})
export type CloudList = z.infer<typeof cloudList>

/** A reply of the service as such a list. */
export function readCloudList(records: readonly unknown[]): CloudList {
  const read = records.map((record) => cloudConnection.safeParse(record))
  const connections = read.flatMap(({ data }) => data ?? [])
  return { connections, unreadable: records.length - connections.length }
}

/** Far more than any key or code is long. */
const longest = 4000

/** A line of text; what stands around it was pasted along. */
const line = z
  .string()
  .trim()
  .min(1)
  .max(longest)
  .refine((text) => !/\p{Cc}/u.test(text), saying({ code: 'has-invisible' }))

const name = line

/** Keys are lines without spaces: one in the middle says that too much was copied, or two lines at once. */
const key = line.refine((text) => !/\s/.test(text), saying({ code: 'has-space' }))

const code = line.superRefine((text, context) => {
  const fault = wrongRedirect(text)
  if (fault !== null) context.addIssue({ code: 'custom', ...saying(fault) })
})

function wrongRedirect(text: string): InputFault | null {
  const pasted = readRedirect(text)
  switch (pasted.kind) {
    case 'plain':
      return null
    case 'granted':
      return { code: 'whole-address' }
    case 'denied':
      return { code: 'access-denied', said: (pasted.description ?? pasted.error).slice(0, 200) }
    case 'nothing':
      return { code: 'no-code' }
  }
}

/** One segment of a path, of characters that need no escape there (RFC 3986 section 2.3), and none of its two dots. */
const namespace = line.refine(
  (text) => /^[\w.~-]+$/.test(text) && text !== '.' && text !== '..',
  saying({ code: 'wrong-form' }),
)

/** What is sent to add a connection of each provider (service API 4.1), with what is wrong with it said at each field. */
export const cloudSchemas = {
  s3: z.strictObject({
    provider: z.literal('s3'),
    user_given_name: name,
    access_key: key,
    secret_access_key: key,
  }),
  b2: z.strictObject({
    provider: z.literal('b2'),
    user_given_name: name,
    key_id: key,
    application_key: key,
  }),
  hf: z.strictObject({
    provider: z.literal('hf'),
    user_given_name: name,
    namespace,
    access_key: key.refine((text) => text.startsWith('HFAK'), saying({ code: 'wrong-form' })),
    secret_access_key: key,
  }),
  drive: z.strictObject({ provider: z.literal('drive'), user_given_name: name, code }),
  // Its name comes from the OAuth flow.
  filesync: z.strictObject({
    provider: z.literal('filesync'),
    code,
    state: line,
  }),
}
export const newCloudConnection = z.discriminatedUnion('provider', [
  cloudSchemas.s3,
  cloudSchemas.b2,
  cloudSchemas.hf,
  cloudSchemas.drive,
  cloudSchemas.filesync,
])
export type NewCloudConnection = z.infer<typeof newCloudConnection>
export type CloudProvider = NewCloudConnection['provider']

type FieldsOf<T> = T extends unknown ? Exclude<keyof T, 'provider'> : never
export type CloudField = FieldsOf<NewCloudConnection>

/** The fields of each provider, in the order in which they are asked for. */
export const cloudFields = {
  s3: ['user_given_name', 'access_key', 'secret_access_key'],
  b2: ['user_given_name', 'key_id', 'application_key'],
  hf: ['user_given_name', 'namespace', 'access_key', 'secret_access_key'],
  drive: ['user_given_name', 'code'],
  filesync: ['code', 'state'],
} as const satisfies { readonly [P in CloudProvider]: readonly CloudField[] }

export const cloudProviders = [
  's3',
  'b2',
  'hf',
  'drive',
  'filesync',
] as const satisfies readonly CloudProvider[]

/** What may be read by whoever sees the screen or the log. */
const openFields: ReadonlySet<CloudField> = new Set(['user_given_name', 'namespace'])
export function isSecretCloudField(field: CloudField): boolean {
  return !openFields.has(field)
}

/** All that must not be kept of it, once it has been sent. */
export function secretsOf(connection: NewCloudConnection): readonly string[] {
  const fields: readonly CloudField[] = cloudFields[connection.provider]
  const values: Readonly<Partial<Record<CloudField, string>>> = connection
  return fields.filter(isSecretCloudField).flatMap((field) => values[field] ?? [])
}

/** What became of a connection that was to be added. */
export const cloudAddition = z.discriminatedUnion('kind', [
  /** With the service's own words. */
  z.object({ kind: z.literal('added'), message: z.string() }),
  /** It said no, and nothing was added. */
  z.object({ kind: z.literal('refused'), message: z.string() }),
  /** What is there already could not be asked for, so that nothing was sent. */
  z.object({ kind: z.literal('not-sent'), problem }),
  /**
   * No answer came that tells. `found` are the connections of this provider that are listed since; `null` when the
   * list could not be had, before or afterwards.
   */
  z.object({ kind: z.literal('lost'), found: z.array(cloudConnection).readonly().nullable() }),
])
export type CloudAddition = z.infer<typeof cloudAddition>

/** What somebody pasted as the end of an OAuth flow. */
export type PastedRedirect =
  /** No address: the code alone, or anything else. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'granted'; readonly code: string; readonly state: string | null }
  /** The provider sent the browser back without a code (RFC 6749 section 4.1.2.1). */
  | { readonly kind: 'denied'; readonly error: string; readonly description: string | null }
  /** An address that says nothing of a code, such as that of the consent page itself. */
  | { readonly kind: 'nothing' }

/**
 * Reads the address to which a provider sends the browser after the consent (RFC 6749 section 4.1.2), whole or from
 * its `?` on. The parameters may also stand in the fragment.
 */
export function readRedirect(pasted: string): PastedRedirect {
  const text = pasted.trim()
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!isAddress && !/(?:^|[?#&])(?:code|error)=/.test(text)) return { kind: 'plain' }
  const parts = text.split(/[?#]/).slice(isAddress ? 1 : 0)
  for (const parameters of parts.map((part) => new URLSearchParams(part))) {
    const code = parameters.get('code')
    if (code) return { kind: 'granted', code, state: parameters.get('state') || null }
    const error = parameters.get('error')
    if (error) return { kind: 'denied', error, description: parameters.get('error_description') || null }
  }
  return { kind: 'nothing' }
}
