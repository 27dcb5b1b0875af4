import { z } from 'zod'
import { type KeychainBackend, KeychainLocked, KeychainOutlived } from './keychain-backend.ts'

/** What the process that holds the keychain's library is asked. */
const keytarRequest = z.object({
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

/** Does what a message asks of the keychain. */
export async function answerKeytar(backend: KeychainBackend, message: unknown): Promise<KeytarReply> {
  const { id, call, account, value } = keytarRequest.parse(message)
  try {
    const result = await (call === 'set' ? backend.set(account, value ?? '') : backend[call](account))
    return { id, ok: true, result: result ?? null }
  } catch (error) {
    return {
      id,
      ok: false,
      why: whyOf(error),
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

function whyOf(error: unknown): Extract<KeytarReply, { ok: false }>['why'] {
  if (error instanceof KeychainLocked) return 'locked'
  return error instanceof KeychainOutlived ? 'outlived' : 'other'
}
