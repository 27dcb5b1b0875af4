import type { AddressChoice, AddressKind, InstanceRoute } from '#domain/ssh/ssh-choice.ts'

const names: Readonly<Record<AddressKind, string>> = { direct: 'direct address', proxy: 'service’s proxy' }

/** What can be chosen. */
export const addressChoices: readonly { readonly value: AddressChoice; readonly label: string }[] = [
  { value: 'automatic', label: 'Automatic' },
  { value: 'direct', label: 'Direct' },
  { value: 'proxy', label: 'Through the service’s proxy' },
]

/** Which address the next connection goes to; `null` while the instance has none. */
export function addressPlanText({
  choice,
  addresses,
}: Pick<InstanceRoute, 'choice' | 'addresses'>): string | null {
  const [first, second] = addresses
  if (first === undefined) return null
  if (second !== undefined) return `The ${names[first]} first, then the ${names[second]}`
  if (choice.address === 'automatic') return `The ${names[first]}`
  return choice.address === first
    ? `The ${names[first]} only (chosen here)`
    : `The ${names[first]}; the service lists no ${names[choice.address]} for this instance`
}

/** Where the connection that is open was made. */
export function addressInUseText(kind: AddressKind | null): string {
  return kind === null ? 'Connected at an earlier address' : `Connected at the ${names[kind]}`
}
