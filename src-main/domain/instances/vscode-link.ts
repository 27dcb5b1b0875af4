import type { SshAddress } from '../ssh/ssh.ts'
import { formatHostPort } from '../ssh/network-address.ts'

/** How VS Code's Remote-SSH finds a machine: by its name in the SSH configuration, or by address. */
export type VsCodeTarget =
  | { readonly kind: 'alias'; readonly alias: string; readonly user: string }
  | { readonly kind: 'address'; readonly address: SshAddress; readonly user: string }

/**
 * The link that opens an instance in VS Code: `vscode://vscode-remote/ssh-remote+<host><folder>`. The folder is
 * root's home, which every image has; the home of another user is not known, so it is `/`. `null` for an IPv6
 * address without a name in the SSH configuration: a link cannot hold its brackets.
 */
export function vsCodeLink(target: VsCodeTarget): string | null {
  const folder = target.user === 'root' ? '/root' : '/'
  if (target.kind === 'alias') return `vscode://vscode-remote/ssh-remote+${target.alias}${folder}`
  const { host, port } = target.address
  if (host.includes(':')) return null
  return `vscode://vscode-remote/ssh-remote+${target.user}@${formatHostPort(host, port)}${folder}`
}

/** Whether a link is exactly of the form that {@link vsCodeLink} makes: nothing else of VS Code may be asked for. */
export function isVsCodeRemoteLink(link: string): boolean {
  return /^vscode:\/\/vscode-remote\/ssh-remote\+(?:[A-Za-z_][\w.-]{0,63}@)?[a-z0-9][a-z0-9.-]{0,252}(?::\d{1,5})?\/(?:root)?$/.test(
    link,
  )
}
