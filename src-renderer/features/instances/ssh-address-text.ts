import type { AddressChoice, AddressKind, InstanceRoute } from '#domain/ssh/ssh-choice.ts'

const names: Readonly<Record<AddressKind, string>> = {
  direct: 'direct address',
  proxy: 'service’s SSH address',
}

/** What can be chosen. */
export const addressChoices: readonly { readonly value: AddressChoice; readonly label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'direct', label: 'Direct address' },
  { value: 'proxy', label: 'Service’s SSH address' },
]

/** Which address the next connection goes to, and VS Code and ssh; `null` while the instance has none. */
export function addressPlanText({
  choice,
  addresses,
}: Pick<InstanceRoute, 'choice' | 'addresses'>): string | null {
  const [first, second] = addresses
  if (first === undefined) return null
  const toOthers = `VS Code and the SSH configuration get the ${names[first]}.`
  if (second !== undefined)
    return `Slipway tries the ${names[first]} first, then the ${names[second]}. ${toOthers}`
  if (choice.address === 'automatic') return `The instance has only the ${names[first]}.`
  return choice.address === first
    ? `Slipway uses the ${names[first]} only (chosen here). ${toOthers}`
    : `Slipway uses the ${names[first]}: the instance has no ${names[choice.address]}.`
}

/** Where the connection that is open was made. */
export function addressInUseText(kind: AddressKind | null): string {
  return kind === null
    ? 'Connected to an address that isn’t listed anymore'
    : `Connected to the ${names[kind]}`
}
