import { z } from 'zod'

/** What the service may leave out. What is of another type than promised is not known, and no reason to show no template. */
const text = z.string().nullish().catch(null)
const yesNo = z.boolean().nullish().catch(null)
const number = z.number().nullish().catch(null)

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
  tag: text,
  desc: text,
  readme: text,
  /** Variables and ports, as flags that a container is run with. */
  env: text,
  onstart: text,
  /** `ssh`, `jupyter` or `args`, as far as is known. */
  runtype: text,
  args_str: text,
  ssh_direct: yesNo,
  use_ssh: yesNo,
  jup_direct: yesNo,
  jupyter_dir: text,
  use_jupyter_lab: yesNo,
  docker_login_repo: text,
  docker_login_user: text,
  href: text,
  repo: text,
  /** Filters in the service's shape, as far as is known. */
  extra_filters: z.unknown().optional(),
  /** GB. */
  recommended_disk_space: number,
  private: yesNo,
  volume_info: z.unknown().optional(),
  creator_id: number,
  /** Seconds since the epoch. */
  created_at: number,
  count_created: number,
  /** Seconds since the epoch. */
  recent_create_date: number,
  default_tag: text,
  recommended: yesNo,
})
export type Template = z.infer<typeof template>

/** Disk of a new instance, in GB, where nothing else is said (service API 8). */
export const defaultDiskGb = 8

/** The tag of an image where nothing else is said (service API 2.2). */
export const defaultTag = 'latest'

/** The image that a template stands for: its tag counts where the image itself names neither tag nor digest. */
export function imageOfTemplate({ image, tag }: Pick<Template, 'image' | 'tag'>): string {
  return hasOwnTag(image) ? image : `${image}:${tag ?? defaultTag}`
}

/** Whether the image itself names a tag or a digest, so that the template's tag does not count. */
function hasOwnTag(image: string): boolean {
  return /[:@]/.test(image.slice(image.lastIndexOf('/') + 1))
}

/** Whether the account may edit and delete it. @param userId the service's id of the account */
export function isOwnTemplate({ creator_id }: Pick<Template, 'creator_id'>, userId: number): boolean {
  return creator_id === userId
}
