import { z } from 'zod'
import { defaultOfferQuery, offerQuery } from './offer.ts'

/** Preferences without secrets. Every field has a default, so that an older file is still read. */
export const preferences = z.object({
  theme: z.enum(['system', 'dark', 'light']).default('system'),
  /** User name for SSH. */
  sshUser: z
    .string()
    .regex(/^[A-Za-z_][\w.-]{0,63}$/)
    .default('root'),
  identityFile: z.string().min(1).nullable().default(null),
  /** The last search, offered again at the next start. */
  lastOfferQuery: offerQuery.default(defaultOfferQuery),
})
export type Preferences = z.infer<typeof preferences>
