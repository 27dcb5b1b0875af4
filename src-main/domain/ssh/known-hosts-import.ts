import { z } from 'zod'
import { hostKey } from './ssh.ts'

/** One key of the user's own known_hosts, and what taking it over would come to. */
const importableHostKey = hostKey.extend({
  /** As in the file: names and patterns with commas; `null` for a hashed name, which nobody can read. */
  hosts: z.string().nullable(),
  marker: z.enum(['revoked', 'cert-authority']).nullable(),
  /** `differs`: Slipway trusts another key of this kind for the host, so this one is left out. */
  standing: z.enum(['new', 'there', 'differs']),
})
export type ImportableHostKey = z.infer<typeof importableHostKey>

/** What the user's own known_hosts holds. */
export const knownHostsPreview = z.object({
  file: z.string(),
  keys: z.array(importableHostKey).readonly(),
  /** Of the file as it was looked at: only that is taken over. */
  digest: z.string(),
})
export type KnownHostsPreview = z.infer<typeof knownHostsPreview>
