import { z } from 'zod'
import { hostKey, sshAddress } from './ssh.ts'

/** A host key that was trusted for an instance, wherever that was reached. */
const instanceHostKey = hostKey.extend({
  /** When it first was, ms since the epoch. */
  trustedAt: z.number(),
})

/** What is remembered of one instance, also when it is gone: its address may become another one's. */
const instanceHostKeys = z.object({
  /** Newest first, as are the addresses. */
  keys: z.array(instanceHostKey).readonly(),
  /** What the user said yes to since, before any login: another key is an alarm, and it proves nothing elsewhere. */
  accepted: z.array(instanceHostKey).readonly().optional(),
  addresses: z.array(sshAddress).readonly(),
  /** When it was last connected to, ms since the epoch. */
  seenAt: z.number(),
})
export type InstanceHostKeys = z.infer<typeof instanceHostKeys>

/** By instance id. */
export const instanceHostKeysFile = z.record(z.string(), instanceHostKeys)
export type InstanceHostKeysFile = z.infer<typeof instanceHostKeysFile>

/** The instance that an address was used by, with the key that is known for it, and why it is not there any more. */
export const formerTenant = z.object({ instanceId: z.int(), fate: z.enum(['gone', 'moved']) })
export type FormerTenant = z.infer<typeof formerTenant>

/** What speaks against a key that an instance shows, besides what is known of its address. */
export const againstInstance = z.object({
  /** Those that it showed before. */
  keys: z.array(instanceHostKey).readonly(),
  /** Where it was last connected to. */
  lastAddress: sshAddress.nullable(),
  /** Another instance, which the key that it shows now belongs to; `null` when it belongs to none that is known. */
  keyOf: z.int().nullable(),
})
export type AgainstInstance = z.infer<typeof againstInstance>
