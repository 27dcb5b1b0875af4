import type { AgainstInstance, FormerTenant } from '#domain/ssh/instance-host-keys.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import type { HostKeyDoubts } from '#domain/ssh/ssh-connection.ts'
import { formatSshAddress, isSameAddress, kindOfAddress, type SshAddresses } from '#domain/ssh/ssh-address.ts'
import type { AddressKind } from '#domain/ssh/ssh-choice.ts'

/** Why an address is known with the key of another instance. */
export function formerTenantText(address: string, { instanceId, fate }: FormerTenant): string {
  return fate === 'gone'
    ? `${address} was the address of instance ${instanceId}, which no longer exists.`
    : `${address} was the address of instance ${instanceId}, which now has another address.`
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

/** What speaks against the key that an instance shows. */
export function againstInstanceText({ lastAddress, keyOf }: AgainstInstance): string {
  const before = lastAddress === null ? '' : `, last at ${formatSshAddress(lastAddress)}`
  const whose = keyOf === null ? '' : ` The key it shows now is the key of instance ${keyOf}.`
  return `This instance showed another key before${before}.${whose}`
}
