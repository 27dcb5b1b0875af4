import type { AddressChoice, AddressKind, AddressRoute, InstanceRoute } from '#domain/ssh/ssh-choice.ts'
import { sshDetailText } from '#ui/problems/ssh-detail-text.ts'

const names: Readonly<Record<AddressKind, string>> = {
  direct: 'direct address',
  proxy: 'service’s SSH address',
}

/** What can be chosen. */
export const addressChoices: readonly {
  readonly value: AddressChoice
  readonly label: string
  readonly description?: string
}[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'direct', label: 'Direct address', description: 'The instance’s own address' },
  {
    value: 'proxy',
    label: 'Service’s SSH address',
    description: 'The service passes the connection on to the instance',
  },
]

/**
 * Which address the next connection goes to, and editors and ssh; `null` while the instance has none. What Slipway
 * doesn't try, as its route is unclear, is left to {@link unclearTexts}.
 */
export function addressPlanText({
  choice,
  addresses,
  isUnanswered,
  routes,
}: Pick<InstanceRoute, 'choice' | 'addresses' | 'isUnanswered' | 'routes'>): string | null {
  const [first, second] = addresses
  if (first === undefined)
    return choice.address === 'automatic'
      ? null
      : `The instance has no ${names[choice.address]} now. You chose it here, so Slipway connects to no other.`
  const toOthers = `Editors and the SSH configuration get the ${names[first]}.`
  const tried = addresses.filter((kind) => routes[kind].unclear === null)
  const [only] = tried
  if (only === undefined) return toOthers
  if (tried.length < addresses.length) return `Slipway tries the ${names[only]} only. ${toOthers}`
  if (second !== undefined) {
    const silence = isUnanswered ? ' Neither answered when Slipway last checked.' : ''
    return `Slipway tries the ${names[first]} first, then the ${names[second]}. ${toOthers}${silence}`
  }
  if (choice.address === 'automatic') return `The instance has only the ${names[first]}.`
  return `Slipway uses the ${names[first]} only (chosen here). ${toOthers}`
}

/** Where the connection that is open was made, and through which jump hosts. */
export function addressInUseText(kind: AddressKind | null, through?: string): string {
  const place = kind === null ? 'an address that isn’t listed anymore' : `the ${names[kind]}`
  return `Connected to ${place}${through === undefined ? '' : ` through ${through}`}`
}

/** Those that the next connection tries. */
export function kindsTried({ addresses }: Pick<InstanceRoute, 'addresses'>): readonly AddressKind[] {
  return addresses.length === 0 ? ['direct'] : addresses
}

/** How the next connection gets there: one line, or one for each address where they differ. */
export function routeTexts(route: Pick<InstanceRoute, 'addresses' | 'routes'>): readonly string[] {
  const said = kindsTried(route).map((kind) => ({ kind, text: routeText(route.routes[kind]) }))
  const [first] = said
  return said.every(({ text }) => text === first?.text)
    ? said.slice(0, 1).map(({ text }) => `Route: ${text}`)
    : said.map(({ kind, text }) => `Route to the ${names[kind]}: ${text}`)
}

/** What nothing is connected to, and why, as `~/.ssh/config` can’t be read; one line for all, or one for each address. */
export function unclearTexts(route: Pick<InstanceRoute, 'addresses' | 'routes'>): readonly string[] {
  const kinds = kindsTried(route)
  const unclear = kinds.flatMap((kind) => {
    const why = route.routes[kind].unclear
    return why === null ? [] : [{ kind, why: sshDetailText(why) }]
  })
  if (unclear.length === kinds.length) return [...new Set(unclear.map(({ why }) => `Can’t connect: ${why}.`))]
  return unclear.map(({ kind, why }) => `The ${names[kind]} isn’t tried: ${why}.`)
}

const routeSources = {
  instance: 'chosen here',
  settings: 'from Settings',
  'ssh-config': 'from ~/.ssh/config',
} as const

function routeText({ jumpHosts, from }: AddressRoute): string {
  const source = from === null ? '' : ` (${routeSources[from]})`
  return jumpHosts === null ? `direct${source}` : `through ${jumpHosts}${source}`
}
