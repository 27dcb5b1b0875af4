import type { AgainstInstance, FormerTenant } from '#domain/ssh/instance-host-keys.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { ConnectionState, HostKeyDoubts } from '#domain/ssh/ssh-connection.ts'
import { formatSshAddress, isSameAddress, kindOfAddress, type SshAddresses } from '#domain/ssh/ssh-address.ts'
import type { AddressKind } from '#domain/ssh/ssh-choice.ts'

/** Why an address is known with the key of another instance. */
export function formerTenantText(address: string, { instanceId, fate }: FormerTenant): string {
  return fate === 'gone'
    ? `${address} was the address of instance ${instanceId}, which no longer exists.`
    : `${address} was the address of instance ${instanceId}, which now has another address.`
}

/** That known_hosts has the key for the address, which speaks for the instance only if the user says so. */
export function listedKeyText({ keyOf }: NonNullable<HostKeyDoubts['listed']>): string {
  const check = 'If you can’t compare the fingerprint, don’t trust it.'
  return keyOf === null
    ? `known_hosts has this key for this address, but Slipway has no record that you trusted it for this instance: addresses can be reused, and the key may belong to an earlier instance or to another account’s instance. ${check}`
    : `known_hosts has this key for this address, and Slipway logged in to instance ${keyOf} with it. The address may still lead to that instance. ${check}`
}

/** That another key is stored for the instance's other address. */
export function storedKeyText({ address }: NonNullable<HostKeyDoubts['stored']>): string {
  return `Another host key is stored for the instance’s other address, ${formatSshAddress(address)}. Slipway has no record that this instance showed that key: it may be the key of another account’s instance, of an earlier instance at that address, or one you trusted for it before, without a login. If you’ve logged in to this instance at that address before, someone may be in between.`
}

/** At the direct address, the way past another instance that may have it now; `null` where there's no other address. */
export function reusedDirectText(address: SshAddress, known: Pick<SshAddresses, AddressKind>): string | null {
  const { direct, proxy } = known
  if (direct === null || proxy === null || isSameAddress(direct, proxy)) return null
  return kindOfAddress(known, address) === 'direct'
    ? 'Another instance may have this direct address now. If so, don’t forget the key: on the instance’s page, under Connect, choose the service’s SSH address.'
    : null
}

type UnknownHost = Extract<ConnectionState, { kind: 'unknown-host' }>
type ChangedKey = Extract<ConnectionState, { kind: 'host-key-changed' }>

/** What the alarm at a host key that is not the stored one says. */
export function changedKeyText({ address, revoked, hop, ofInstance }: ChangedKey): {
  readonly description: string
  readonly causes: readonly string[]
  /** How the user may know why the key changed. */
  readonly example: string
} {
  const found = revoked ? 'shows a revoked host key' : 'shows a different host key than the stored one'
  const [cause, example] = harmlessCause(hop !== undefined, ofInstance !== undefined)
  return {
    description: `${formatSshAddress(address)} ${found}. Slipway hasn’t connected, and nothing was sent to this host.`,
    causes: [
      cause,
      'Someone between you and the host answers in its place and could read all that you send.',
    ],
    example: `For example, ${example}.`,
  }
}

function harmlessCause(isHop: boolean, isKnownInstance: boolean): readonly [cause: string, example: string] {
  if (isHop)
    return [
      'The jump host was set up again. Whoever runs it knows.',
      'whoever runs it told me its new fingerprint',
    ]
  return isKnownInstance
    ? [
        'The instance was set up again and has a new host key, or the key that you trusted or imported for it belongs to an earlier instance at this address.',
        'I set up the instance again',
      ]
    : [
        'The instance was created again, or another instance was rented at the same address.',
        'I destroyed the instance that had this address before',
      ]
}

export const revokedKeyText =
  'This key is marked as revoked: it’s known to be in the wrong hands. Don’t use this host, and don’t send anything to it.'

/** What trusting an unknown host means, at its address and at the instance's others. */
export function trustText({ stored, formerly, listed, alsoAt = [] }: UnknownHost): string {
  const others = alsoAt.map(formatSshAddress).join(' and ')
  const elsewhere = [
    others && ` After the first login, the key also counts at the instance’s other address, ${others}.`,
    stored && ' The other address’s stored key stays: Slipway warns you when it connects there.',
  ]
  const [effect, warning] = formerly
    ? [
        `this key replaces the key of instance ${formerly.instanceId} for this address.`,
        ` If instance ${formerly.instanceId} ever shows another key, Slipway still warns you.`,
      ]
    : [
        `Slipway stores this key for this ${listed ? 'instance' : 'address'}.`,
        ' From then on, Slipway connects only to a host that has this key, and warns you if another one answers.',
      ]
  return [`If you trust it, ${effect}`, ...elsewhere, warning].filter(Boolean).join('')
}

/** When an unknown host is nothing to worry about. */
export function expectedText(isHop: boolean): string {
  return isHop
    ? 'Expected when Slipway first connects to a jump host.'
    : 'Expected when you first connect to a new instance.'
}

/** What speaks against the key that an instance shows. */
export function againstInstanceText({ lastAddress, keyOf }: AgainstInstance): string {
  const before =
    lastAddress === null
      ? 'You trusted another key for this instance.'
      : `This instance showed another key before, last at ${formatSshAddress(lastAddress)}.`
  return keyOf === null ? before : `${before} The key it shows now is the key of instance ${keyOf}.`
}
