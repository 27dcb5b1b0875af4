import { z } from 'zod'

/**
 * A template as the service describes it (service API 2.2), without the password of its registry, which is
 * never handed on. Fields that are not named here are kept.
 */
export const template = z.looseObject({
  id: z.number().int(),
  /** Derived from the content: it is another one after every edit. Rentals name the template by it. */
  hash_id: z.string().min(1),
  name: z.string(),
  image: z.string(),
  tag: z.string().nullish(),
  desc: z.string().nullish(),
  /** Variables and ports, as flags that a container is run with. */
  env: z.string().nullish(),
  onstart: z.string().nullish(),
  /** GB. */
  recommended_disk_space: z.number().nullish(),
  creator_id: z.number().int().nullish(),
  recommended: z.boolean().nullish(),
})
export type Template = z.infer<typeof template>

/** Disk of a new instance, in GB, where nothing else is said (service API 8). */
export const defaultDiskGb = 8

/** The image that a template stands for: its tag counts where the image itself names neither tag nor digest. */
export function imageOfTemplate({ image, tag }: Pick<Template, 'image' | 'tag'>): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:${tag ?? 'latest'}`
}
