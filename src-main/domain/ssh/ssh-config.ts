import { z } from 'zod'

/** How the SSH configuration of this machine knows Slipway's instances. */
export const sshConfigState = z.object({
  /** Whether the user's file includes Slipway's; `null` when it cannot be read. */
  included: z.boolean().nullable(),
  /** The user's file, which only ever gets the one line, and only when asked for. */
  userFile: z.string(),
  /** Slipway's own file, with an entry for each instance that has an address. */
  ownFile: z.string(),
  /** What is added to the user's file. */
  includeLine: z.string(),
  /** Instances that have an entry now, named by {@link sshAlias}. */
  instanceIds: z.array(z.number().int()).readonly(),
  /** Why the files could not be read or written. */
  problem: z.string().nullable(),
})
export type SshConfigState = z.infer<typeof sshConfigState>

/** The name of an instance in the SSH configuration: `ssh slipway-4711`. */
export function sshAlias(instanceId: number): string {
  return `slipway-${instanceId}`
}
