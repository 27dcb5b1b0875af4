import type { z } from 'zod'
import type { Random } from '../random.ts'
import { type CatalogEntry, TEMPLATE_CATALOG } from './template-catalog.ts'
import { newTemplateBody } from './template-fields.ts'
import type { NewTemplate } from './templates.ts'

/** How many templates of other people there are when nobody says otherwise: each of the catalog once. */
export const CATALOG_SIZE = TEMPLATE_CATALOG.length

const DAY_SECONDS = 24 * 60 * 60
const START_SCRIPT = 'touch ~/.no_auto_tmux\nenv >> /dev/null\necho "ready" > ~/ready.txt\n'

/** Makes `count` public templates of other people; beyond the catalog they are variants of its entries. */
export function createTemplateRecords(
  count: number,
  random: Random,
  nowSeconds: number,
): readonly NewTemplate[] {
  return Array.from({ length: count }, (_, index) => {
    const variant = Math.floor(index / TEMPLATE_CATALOG.length)
    const entry = TEMPLATE_CATALOG[index % TEMPLATE_CATALOG.length] ?? TEMPLATE_CATALOG[0]
    return createRecord(entry, variant, random, Math.floor(nowSeconds))
  })
}

export type NewTemplateFields = z.input<typeof newTemplateBody>

/** A public template that somebody else has just made. */
export function templateOfOther(fields: NewTemplateFields, nowSeconds: number): NewTemplate {
  return {
    fields: newTemplateBody.parse(fields),
    creatorId: 31_000,
    defaultTag: 'latest',
    isRecommended: false,
    createdAt: nowSeconds,
    countCreated: 0,
    recentCreateDate: null,
  }
}

function createRecord(entry: CatalogEntry, variant: number, random: Random, nowSeconds: number): NewTemplate {
  const { name, image, tag, runtype, diskGb, env, desc } = entry
  const isRegistryPrivate = image.startsWith('nvcr.io/')
  const createdAt = nowSeconds - random.integer(30, 900) * DAY_SECONDS - random.fraction()
  const countCreated = variant === 0 ? random.integer(1, 90_000) : random.integer(0, 40)
  const fields = newTemplateBody.parse({
    name: variant === 0 ? name : `${name} (variant ${String(variant)})`,
    image,
    tag,
    desc,
    readme: `# ${name}\n\n${desc}\n\n## Use\n\nRent with at least ${String(diskGb)} GB, then wait for \`ready.txt\`.\n`,
    env,
    onstart: runtype === 'args' ? '' : START_SCRIPT,
    runtype,
    args_str: runtype === 'args' ? '--verbose' : '',
    ssh_direct: runtype === 'ssh',
    use_ssh: runtype !== 'args',
    jup_direct: runtype === 'jupyter',
    jupyter_dir: runtype === 'jupyter' ? '/workspace' : null,
    use_jupyter_lab: runtype === 'jupyter',
    docker_login_repo: isRegistryPrivate ? 'nvcr.io' : '',
    docker_login_user: '',
    docker_login_pass: '',
    href: `https://example.com/images/${encodeURIComponent(image)}`,
    repo: image,
    extra_filters: random.chance(0.5) ? { cuda_max_good: { gte: 12.4 }, gpu_ram: { gte: 16_000 } } : {},
    recommended_disk_space: diskGb,
  })
  return {
    fields,
    creatorId: random.integer(1_000, 30_000),
    defaultTag: random.chance(0.6) ? tag : 'latest',
    isRecommended: variant === 0 && random.chance(0.5),
    createdAt,
    countCreated,
    recentCreateDate: countCreated === 0 ? null : random.between(createdAt, nowSeconds, 3),
  }
}
