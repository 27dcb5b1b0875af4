import { z } from 'zod'

/** What the process that holds the keychain's library is asked. */
export const keytarRequest = z.object({
  id: z.number(),
  call: z.enum(['get', 'set', 'delete']),
  account: z.string(),
  value: z.string().optional(),
})
export type KeytarRequest = z.infer<typeof keytarRequest>

export const keytarReply = z.discriminatedUnion('ok', [
  z.object({
    id: z.number(),
    ok: z.literal(true),
    result: z.union([z.string(), z.boolean(), z.null()]),
  }),
  z.object({
    id: z.number(),
    ok: z.literal(false),
    why: z.enum(['locked', 'outlived', 'other']),
    message: z.string(),
  }),
])
export type KeytarReply = z.infer<typeof keytarReply>
