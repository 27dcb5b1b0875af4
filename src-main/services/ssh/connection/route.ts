import { formatJumpHosts, mostJumpHosts, type JumpHost } from '../../../domain/ssh/jump-host.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { SshFailure } from '../failure.ts'
import type { ConfiguredRoute, HostConfig, JumpHostConfig } from '../config/host-config.ts'

/** A jump host with what is known of it: where it is, and who logs in there with what. */
export interface Hop {
  readonly address: SshAddress
  readonly user: string
  readonly config: HostConfig
}

/** How to get to a machine. */
export interface Route {
  /** In the order in which they are gone through; empty for the direct route. */
  readonly hops: readonly Hop[]
  /** The configuration names a ProxyCommand for it, which is not run. */
  readonly leavesOutCommand: boolean
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
        detail: `there are more than ${mostJumpHosts} jump hosts, or they lead in a circle: ${formatJumpHosts(next.hosts)}`,
      })
    next = found[0]?.config.via ?? null
  }
  if (next?.kind === 'unclear')
    throw new SshFailure({ kind: 'way-unclear', detail: `ProxyJump ${next.text} cannot be read` })
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
