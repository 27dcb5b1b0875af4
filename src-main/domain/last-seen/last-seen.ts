import { z } from 'zod'
import { user } from '../accounts/account.ts'
import { cloudConnection } from '../cloud/cloud-connection.ts'
import { offer, offerQuery } from '../offers/offer.ts'
import { template } from '../templates/template.ts'
import { twoFactorStatus } from '../two-factor/two-factor.ts'

/** What the service said, and when, in ms since the epoch. It may have been in an earlier run. */
export interface Seen<T> {
  readonly seenAt: number
  readonly content: T
}

/** The schema of {@link Seen}. */
export function seen<T>(content: z.ZodType<T>): z.ZodType<Seen<T>> {
  return z.object({ seenAt: z.number(), content })
}

const { id, email, full_name, credit, tfa_status, email_verified_at } = user.shape
/** Of the account's record, what is shown by name. Other fields may hold anything. */
export const seenUser = z.object({ id, email, full_name, credit, tfa_status, email_verified_at })

const seenMethod = z.object({
  id: z.number(),
  kind: z.enum(['totp', 'sms', 'other']),
  /** The service's own word for the kind. */
  kindName: z.string(),
  label: z.string(),
  /** Only its last digits are visible. */
  maskedNumber: z.string().nullable(),
  isPrimary: z.boolean(),
})

/** Of the account's 2FA, what lasts: no lockout, no session, and nothing of the vault. */
export const seenTwoFactor = z.object({
  status: twoFactorStatus,
  methods: z.array(seenMethod).readonly(),
  /** As the service counts them; `null` when it does not say. */
  backupCodesLeft: z.number().nullable(),
})
export type SeenTwoFactor = z.infer<typeof seenTwoFactor>

/** How many records of a list are kept, in the order in which the service gave them. */
export const mostSeen = 100

/** How many records the service listed: more than are kept, or than could be read. */
const total = z.int()

/** Of a template, what it is found by: variables and scripts may hold a secret. */
export const seenTemplate = template
  .pick({
    id: true,
    hash_id: true,
    name: true,
    image: true,
    tag: true,
    runtype: true,
    private: true,
    recommended: true,
    creator_id: true,
    created_at: true,
    count_created: true,
  })
  .strip()
export const seenTemplates = z.object({ templates: z.array(seenTemplate).readonly(), total })

export const seenCloud = z.object({ connections: z.array(cloudConnection).readonly(), total })

/** Of the last search. */
export const seenOffers = z.object({ query: offerQuery, offers: z.array(offer).readonly(), total })
