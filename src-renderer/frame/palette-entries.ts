import { labelOf } from '#domain/instance-label.ts'
import { outlookOf } from '#domain/instance-status.ts'
import type { ListedInstance } from '#domain/listed-instance.ts'
import { chargeOf } from '#domain/money.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import { railItems } from './rail-items.ts'

/** One thing that the palette leads to: a place in the window, which asks before it does anything that counts. */
export interface PaletteEntry {
  readonly label: string
  /** Tells apart what has the same label; searched as well. */
  readonly description?: string
  readonly icon: string
  readonly to: string
  readonly kbds?: string[]
}

export interface PaletteGroup {
  readonly id: string
  readonly label: string
  readonly items: PaletteEntry[]
}

const otherPages: readonly PaletteEntry[] = [
  {
    label: 'Account',
    description: 'Credit, key, what it may do',
    icon: 'i-lucide-circle-user',
    to: '/account',
  },
  {
    label: 'Run a command',
    description: 'On several instances at once',
    icon: 'i-lucide-square-chevron-right',
    to: '/run',
  },
]

/** Pages first, then each instance with what can be done with it. */
export function paletteGroups(instances: readonly ListedInstance[]): PaletteGroup[] {
  const pages = railItems.map(({ name, icon, to }, index): PaletteEntry => ({
    label: name,
    icon,
    to,
    kbds: ['alt', String(index + 1)],
  }))
  return [
    { id: 'pages', label: 'Pages', items: [...pages, ...otherPages] },
    { id: 'instances', label: 'Instances', items: instances.flatMap(entriesOf) },
  ]
}

function entriesOf(instance: ListedInstance): PaletteEntry[] {
  const { id } = instance
  const label = labelOf(instance)
  const name = label === null ? `instance ${id}` : `${label} (${id})`
  const page = `/instances/${id}`
  const { perHourUsd } = chargeOf(instance)
  const rate = perHourUsd === null ? {} : { description: formatUsdPerHour(perHourUsd) }
  const shells: readonly PaletteEntry[] = [
    { label: `Open terminal on ${name}`, icon: 'i-lucide-square-terminal', to: `/terminals?open=${id}` },
    { label: `Files of ${name}`, icon: 'i-lucide-folder', to: `${page}/files` },
  ]
  return [
    { label: `Look at ${name}`, icon: 'i-lucide-server', to: page, ...rate },
    ...(outlookOf(instance.status).kind === 'ready' ? shells : []),
  ]
}
