import { z } from 'zod'
import { filters } from '../fields/filter.ts'

/** A volume to attach (service API 2.8). */
const volumeInfo = z.object({
  create_new: z.boolean(),
  /** A volume to link, or the volume offer to create one from. */
  volume_id: z.number().int(),
  /** GB, of a volume that is created. */
  size: z.number().optional(),
  /** Where it is mounted inside the container. */
  mount_path: z.string(),
})
export type VolumeInfo = z.infer<typeof volumeInfo>

/** Body of a rental (service API 4.4): shown before it is sent, and sent. */
export const rentBody = z.object({
  template_hash_id: z.string().optional(),
  image: z.string().optional(),
  /** GB. */
  disk: z.number().optional(),
  env: z.record(z.string(), z.string()).optional(),
  volume_info: volumeInfo.optional(),
  /** Named by the third rule of precedence only; what the service makes of them isn't said. */
  extra_filters: filters.optional(),
  onstart: z.string().optional(),
})
export type RentBody = z.infer<typeof rentBody>
