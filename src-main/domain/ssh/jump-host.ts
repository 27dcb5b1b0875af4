import { z } from 'zod'
import { formatHostPort, parseHost, parsePort } from './network-address.ts'

/** A machine that a connection goes through, as one writes it for `ssh -J`: `user@host:port`. */
export interface JumpHost {
  /** `null`: as the SSH configuration says, or else the user of this computer. */
  readonly user: string | null
  /** An address, or a name that the SSH configuration explains. */
  readonly host: string
  /** `null`: as the SSH configuration says, or else 22. */
  readonly port: number | null
}

/** More than any route has; a configuration that leads in a circle must end. */
export const mostJumpHosts = 8

/**
 * Reads jump hosts with commas between them, the first one first. What comes out of it ends up in commands and
 * files, so nothing passes that could be an option there or end a word.
 *
 * @returns `null` when it is not exactly that
 */
export function parseJumpHosts(text: string): readonly JumpHost[] | null {
  const hosts = text.split(',').map((word) => parseJumpHost(word.trim()))
  const isWhole = hosts.length <= mostJumpHosts && hosts.every((host) => host !== null)
  return isWhole ? hosts : null
}

function parseJumpHost(word: string): JumpHost | null {
  const text = word.replace(/^ssh:\/\//i, '').replace(/\/$/, '')
  // As in OpenSSH, a user's name may hold an @ itself.
  const at = text.lastIndexOf('@')
  const user = at < 0 ? null : text.slice(0, at)
  const place = text.slice(at + 1)
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^[\]:]*))(?::([^:]*))?$/.exec(place) ?? []
  const host = bracketed === undefined ? nameOf(plain ?? '') : parseHost(bracketed)
  const port = digits === undefined ? null : parsePort(digits)
  if (host === null || (digits !== undefined && port === null)) return null
  if (user !== null && !/^[A-Za-z0-9_][\w.@+-]{0,63}$/.test(user)) return null
  return { user, host, port }
}

/** A name of the configuration may hold what no host name does. */
function nameOf(text: string): string | null {
  if (/^[\d.]+$/.test(text)) return parseHost(text)
  return /^[A-Za-z0-9_][\w.-]{0,252}$/.test(text) ? text : null
}

/** As it is written for `ssh -J` and ProxyJump. */
export function formatJumpHosts(hosts: readonly JumpHost[]): string {
  return hosts.map(formatJumpHost).join(',')
}

function formatJumpHost({ user, host, port }: JumpHost): string {
  const bare = host.includes(':') ? `[${host}]` : host
  return `${user === null ? '' : `${user}@`}${port === null ? bare : formatHostPort(host, port)}`
}

/** Jump hosts as they are kept: checked, in the form of {@link formatJumpHosts}. */
export const jumpHostsText = z
  .string()
  .max(2000)
  .refine((text) => parseJumpHosts(text) !== null, 'not jump hosts')
