import { z } from 'zod'

/**
 * The account as the service describes it (service API 2.5). Only `id` is required: a record that lacks
 * something else is still shown, with what it has. Unknown fields are kept.
 */
export const user = z.looseObject({
  id: z.number(),
  email: z.string().nullish(),
  full_name: z.string().nullish(),
  /** Balance in US dollars. */
  credit: z.number().nullish(),
  ssh_key: z.string().nullish(),
  tfa_status: z.string().nullish(),
  email_verified_at: z.union([z.string(), z.number()]).nullish(),
  is_admin: z.boolean().nullish(),
})
export type User = z.infer<typeof user>
