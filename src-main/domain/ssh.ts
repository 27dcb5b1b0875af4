import { z } from 'zod'

/** Where an instance answers SSH. */
export const sshAddress = z.object({ host: z.string(), port: z.number().int() })
export type SshAddress = z.infer<typeof sshAddress>

/** Why a connection could not be made or was lost. */
export const sshProblem = z.discriminatedUnion('kind', [
  /** The service names no address yet, or the instance is not running. */
  z.object({ kind: z.literal('no-address'), status: z.string().nullable() }),
  z.object({ kind: z.literal('refused') }),
  z.object({ kind: z.literal('timeout') }),
  z.object({ kind: z.literal('unreachable'), detail: z.string() }),
  /** The other side speaks no SSH, or broke off before keys were exchanged. */
  z.object({ kind: z.literal('not-ssh'), detail: z.string() }),
  z.object({ kind: z.literal('no-common-algorithm'), detail: z.string() }),
  /** Nothing to log in with: no key in the vault, no identity file, no agent. */
  z.object({ kind: z.literal('no-keys'), hints: z.array(z.string()).readonly() }),
  /** `tried` names each key that was offered; `skipped` each that could not be used, and why. */
  z.object({
    kind: z.literal('authentication-failed'),
    user: z.string(),
    tried: z.array(z.string()).readonly(),
    skipped: z.array(z.string()).readonly(),
  }),
  z.object({ kind: z.literal('host-key-refused') }),
  /** The user did not want to wait any longer. */
  z.object({ kind: z.literal('stopped') }),
  /** The link died: no answer to keepalives, or the connection was reset. */
  z.object({ kind: z.literal('link-lost'), detail: z.string() }),
  z.object({ kind: z.literal('channel-refused'), detail: z.string() }),
  /** Slipway's own known_hosts cannot be read or written: no host key can be trusted. */
  z.object({ kind: z.literal('known-hosts-unusable'), detail: z.string() }),
])
export type SshProblem = z.infer<typeof sshProblem>

/** A host key as it is shown: OpenSSH's names, fingerprint `SHA256:…` without padding. */
export const hostKey = z.object({ algorithm: z.string(), fingerprint: z.string() })
export type HostKey = z.infer<typeof hostKey>

/** Where a terminal stands. The window shows it; bytes travel on the terminal's own port. */
export const terminalState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connecting'), address: sshAddress.nullable() }),
  /** Asked once per unknown host; nothing is sent to it before the answer. */
  z.object({ kind: z.literal('unknown-host'), address: sshAddress, offered: hostKey }),
  /** Refused. `line` is the 1-based line of `file` that holds the key trusted before. */
  z.object({
    kind: z.literal('host-key-changed'),
    address: sshAddress,
    offered: hostKey,
    trusted: z.array(hostKey.extend({ line: z.number().int() })).readonly(),
    file: z.string(),
    /** The stored line is marked @revoked: the key must never be accepted. */
    revoked: z.boolean(),
  }),
  z.object({ kind: z.literal('open'), address: sshAddress, user: z.string() }),
  z.object({ kind: z.literal('exited'), code: z.number().nullable(), signal: z.string().nullable() }),
  z.object({ kind: z.literal('failed'), problem: sshProblem, address: sshAddress.nullable() }),
  /**
   * It was open and the link is lost; what is on the screen stays. Tried again by itself, at `retryAt`
   * (milliseconds since the Unix epoch) or, where that is `null`, just now.
   */
  z.object({
    kind: z.literal('reconnecting'),
    problem: sshProblem,
    address: sshAddress.nullable(),
    retryAt: z.number().nullable(),
  }),
])
export type TerminalState = z.infer<typeof terminalState>
