import { z } from 'zod'
import { jumpHostsText } from './jump-host.ts'
import { sshDetail } from './ssh-detail.ts'

/** How the user wants to get to one instance. */
const viaChoice = z.discriminatedUnion('kind', [
  /** As the settings say, or else `~/.ssh/config`. */
  z.object({ kind: z.literal('as-set') }),
  z.object({ kind: z.literal('direct') }),
  z.object({ kind: z.literal('jump'), hosts: jumpHostsText }),
])
export type ViaChoice = z.infer<typeof viaChoice>

/** The addresses of an instance: see `SshAddresses`. */
export const addressKind = z.enum(['direct', 'proxy'])
export type AddressKind = z.infer<typeof addressKind>

/** Which address of an instance the user wants; `automatic` is whichever answers. */
export const addressChoice = z.enum(['automatic', ...addressKind.options])
export type AddressChoice = z.infer<typeof addressChoice>

/** What the user chose for the connection to one instance. Kept on this machine. */
export const sshChoice = z.object({
  via: viaChoice,
  address: addressChoice.default('automatic'),
  /** Its shells can use the SSH agent of this computer, and so can whoever is root there. */
  forwardAgent: z.boolean(),
})
export type SshChoice = z.infer<typeof sshChoice>

export const noSshChoice: SshChoice = {
  via: { kind: 'as-set' },
  address: 'automatic',
  forwardAgent: false,
}

/** How one address of an instance is got to: `~/.ssh/config` may say something else of each. */
const addressRoute = z.object({
  /** As for `ssh -J`; `null` for the direct route. */
  jumpHosts: z.string().nullable(),
  /** Who says so; `null` when nobody does. */
  from: z.enum(['instance', 'settings', 'ssh-config']).nullable(),
  /** `~/.ssh/config` names a ProxyCommand for it, which is not run: the route is direct all the same. */
  leavesOutCommand: z.boolean(),
  /** A ProxyJump of `~/.ssh/config` that cannot be read: nothing is connected to before it can. */
  unclear: sshDetail.nullable(),
  /** `~/.ssh/config` says ForwardAgent; the choice alone counts. */
  configForwardsAgent: z.boolean(),
})
export type AddressRoute = z.infer<typeof addressRoute>

/** How an instance is connected to as things are now. */
export const instanceRoute = z.object({
  choice: sshChoice,
  /** Which of its addresses the next connection tries, in this order; empty while it has none. */
  addresses: z.array(addressKind).readonly(),
  /** It has two and was never reached, and neither answered when they were last asked. */
  isUnanswered: z.boolean(),
  /** To an address that it doesn't have, by what was chosen alone. */
  routes: z.object({ direct: addressRoute, proxy: addressRoute }),
})
export type InstanceRoute = z.infer<typeof instanceRoute>

/** What every instance is asked for that nothing was chosen for: see `jumpHosts` of the preferences. */
export const jumpHostsPreference = z.union([z.literal(''), jumpHostsText])
