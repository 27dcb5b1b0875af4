import type { AgainstInstance, FormerTenant } from '#domain/ssh/instance-host-keys.ts'
import { formatSshAddress } from '#domain/ssh/ssh-address.ts'

/** Why an address is known with the key of another instance. */
export function formerTenantText(address: string, { instanceId, fate }: FormerTenant): string {
  return fate === 'gone'
    ? `${address} was the address of instance ${instanceId}, which no longer exists.`
    : `${address} was the address of instance ${instanceId}, which now has another address.`
}

/** What speaks against the key that an instance shows. */
export function againstInstanceText({ lastAddress, keyOf }: AgainstInstance): string {
  const before = lastAddress === null ? '' : `, last at ${formatSshAddress(lastAddress)}`
  const whose = keyOf === null ? '' : ` The key it shows now is the key of instance ${keyOf}.`
  return `This instance showed another key before${before}.${whose}`
}
