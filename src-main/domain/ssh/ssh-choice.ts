import { z } from 'zod'
import { jumpHostsText } from './jump-host.ts'

/** How the user wants to get to one instance. */
const viaChoice = z.discriminatedUnion('kind', [
  /** As the settings say, or else `~/.ssh/config`. */
  z.object({ kind: z.literal('as-set') }),
  z.object({ kind: z.literal('direct') }),
  z.object({ kind: z.literal('jump'), hosts: jumpHostsText }),
])
export type ViaChoice = z.infer<typeof viaChoice>

/** What the user chose for the connection to one instance. Kept on this machine. */
export const sshChoice = z.object({
  via: viaChoice,
  /** Its shells can use the SSH agent of this computer, and so can whoever is root there. */
  forwardAgent: z.boolean(),
})
export type SshChoice = z.infer<typeof sshChoice>

export const noSshChoice: SshChoice = { via: { kind: 'as-set' }, forwardAgent: false }

/** How an instance is connected to as things are now. */
export const instanceRoute = z.object({
  choice: sshChoice,
  /** As for `ssh -J`; `null` for the direct route. */
  jumpHosts: z.string().nullable(),
  /** Who says so; `null` when nobody does. */
  from: z.enum(['instance', 'settings', 'ssh-config']).nullable(),
  /** `~/.ssh/config` names a ProxyCommand for it, which is not run: the route is direct all the same. */
  leavesOutCommand: z.boolean(),
  /** A ProxyJump of `~/.ssh/config` that cannot be read: nothing is connected to before it can. */
  unclear: z.string().nullable(),
  /** `~/.ssh/config` says ForwardAgent; the choice alone counts. */
  configForwardsAgent: z.boolean(),
})
export type InstanceRoute = z.infer<typeof instanceRoute>

/** What every instance is asked for that nothing was chosen for: see `jumpHosts` of the preferences. */
export const jumpHostsPreference = z.union([z.literal(''), jumpHostsText])
