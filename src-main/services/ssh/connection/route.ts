import { formatJumpHosts, mostJumpHosts, type JumpHost } from '../../../domain/ssh/jump-host.ts'
import type { AddressKind } from '../../../domain/ssh/ssh-choice.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { SshFailure } from '../failure.ts'
import type { ConfiguredRoute, HostConfig, JumpHostConfig } from '../config/host-config.ts'

/** Where an instance answers SSH. */
export interface Place {
  readonly kind: 'address'
  readonly address: SshAddress
  /** Its other address, for where the first one doesn't answer. */
  readonly fallback?: SshAddress
  /** All that it has, whichever are tried: a key that is revoked at one is refused at each. */
  readonly known?: readonly SshAddress[]
}

/** Where an instance answers SSH, or its status as long as it has no address, or not the one that was chosen. */
export type Target =
  Place | { readonly kind: 'none'; readonly status: string | null; readonly chosen?: AddressKind }

/** A jump host with what is known of it: where it is, and who logs in there with what. */
export interface Hop {
  readonly address: SshAddress
  readonly user: string
  readonly config: HostConfig
}

/** As it is written for `ssh -J`. */
export function jumpHostOf({ address, user }: Hop): JumpHost {
  return { user, ...address }
}

/** How to get to a machine. */
export interface Route {
  /** In the order in which they are gone through; empty for the direct route. */
  readonly hops: readonly Hop[]
  /** The configuration names a ProxyCommand for it, which is not run. */
  readonly leavesOutCommand: boolean
}

/** One of an instance's addresses, and how it's got to: `~/.ssh/config` may say something else of each. */
export interface Destination {
  readonly address: SshAddress
  readonly user: string
  readonly config: HostConfig
  readonly route: Route
}

export const directRoute: Route = { hops: [], leavesOutCommand: false }

export interface RouteQuestion {
  /** What the user chose in Slipway, or else what the SSH configuration says. */
  readonly via: ConfiguredRoute | null
  readonly ofJumpHost: (name: string, user: string | null) => Promise<JumpHostConfig>
  readonly localUser: string
}

/**
 * Looks up every jump host on a route, as `ssh -J` does: those that are named, and before the first of them those
 * that the configuration names for that one.
 *
 * @throws SshFailure `way-unclear`: to go another way than the user means would send keys elsewhere
 */
export async function findRoute({ via, ofJumpHost, localUser }: RouteQuestion): Promise<Route> {
  const hops: Hop[] = []
  let next = via
  while (next !== null && next.kind === 'jump') {
    const found = await Promise.all(next.hosts.map((host) => lookUp(host)))
    hops.unshift(...found)
    if (hops.length > mostJumpHosts)
      throw new SshFailure({
        kind: 'way-unclear',
        detail: { code: 'too-many-jump-hosts', most: mostJumpHosts, hosts: formatJumpHosts(next.hosts) },
      })
    next = found[0]?.config.via ?? null
  }
  if (next?.kind === 'unclear')
    throw new SshFailure({ kind: 'way-unclear', detail: { code: 'unreadable-proxy-jump', text: next.text } })
  return { hops, leavesOutCommand: next?.kind === 'command' }

  async function lookUp({ user, host, port }: JumpHost): Promise<Hop> {
    const config = await ofJumpHost(host, user)
    return {
      address: { host: config.hostName ?? host, port: port ?? config.port ?? 22 },
      user: user ?? config.user ?? localUser,
      config,
    }
  }
}
