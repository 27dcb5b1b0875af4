import { z } from 'zod'
import { skippedKey } from '../base/key-fault.ts'
import type { NamedSchema, NamedUnion } from '../base/named.ts'
import { addressKind } from './ssh-choice.ts'
import { sshDetail } from './ssh-detail.ts'

/** Where an instance answers SSH. */
export const sshAddress = z.object({ host: z.string(), port: z.number().int() })
export type SshAddress = z.infer<typeof sshAddress>

/** Which of the jump hosts on the way to an instance it is, counted from 1. */
const hopPlace = z.object({ place: z.number().int(), of: z.number().int() })
export type HopPlace = z.infer<typeof hopPlace>

const anyAtOnePlace = z.discriminatedUnion('kind', [
  /** The service names no address yet, or the instance is not running. */
  z.object({
    kind: z.literal('no-address'),
    status: z.string().nullable(),
    /** It has another one than this, which was chosen. */
    chosen: addressKind.optional(),
  }),
  z.object({ kind: z.literal('refused') }),
  z.object({ kind: z.literal('timeout') }),
  z.object({ kind: z.literal('unreachable'), detail: sshDetail }),
  /** Something took the connection, and did not go on: no word of SSH, no end of the login, or no shell after it. */
  z.object({ kind: z.literal('unanswered'), step: z.enum(['greeting', 'login', 'shell']) }),
  /** An SSH server that turns logins away for the moment, in its own words. */
  z.object({ kind: z.literal('busy'), detail: z.string() }),
  /** The other side speaks no SSH, or broke off before keys were exchanged. */
  z.object({ kind: z.literal('not-ssh'), detail: sshDetail }),
  z.object({ kind: z.literal('no-common-algorithm'), detail: z.string() }),
  /** Whoever answered does not hold the host key that it showed, or what it said was altered on the way. */
  z.object({ kind: z.literal('signature-invalid') }),
  /** Longer than ssh2 takes, so that the login does not get any further. */
  z.object({ kind: z.literal('banner-too-long') }),
  /** Nothing to log in with: no key in the vault, no identity file, no agent. */
  z.object({ kind: z.literal('no-keys'), skipped: z.array(skippedKey).readonly() }),
  /** `tried` names each key that was offered, and what else was; `skipped` each that could not be used, and why. */
  z.object({
    kind: z.literal('authentication-failed'),
    user: z.string(),
    tried: z.array(z.string()).readonly(),
    skipped: z.array(skippedKey).readonly(),
    /** What the host takes, by its own word (RFC 4252 section 5.1); empty where it did not say. */
    accepts: z.array(z.string()).readonly(),
    /** One step was accepted, and what `accepts` names is wanted besides. */
    partial: z.boolean(),
  }),
  /** Slipway left a login: it was asked for too much, out of turn, or for a new password (RFC 4252 section 8). */
  z.object({
    kind: z.literal('login-ended'),
    why: z.enum(['too-many-prompts', 'too-many-rounds', 'out-of-turn', 'password-change']),
  }),
  z.object({ kind: z.literal('host-key-refused') }),
  /** It said that the login is done, or further, before its host key was trusted. */
  z.object({ kind: z.literal('out-of-order') }),
  /** It broke the rules of the protocol, or asked for more than any honest host does, and was disconnected. */
  z.object({ kind: z.literal('protocol-broken'), detail: sshDetail }),
  /** The user did not want to wait any longer. */
  z.object({ kind: z.literal('stopped') }),
  /** The user would have had to be asked, about a host key or for a password, and nobody was to ask. */
  z.object({ kind: z.literal('unasked') }),
  /** The link died: no answer to keepalives, or the connection was reset. */
  z.object({ kind: z.literal('link-lost'), detail: sshDetail }),
  z.object({ kind: z.literal('channel-refused'), detail: z.string() }),
  /** Slipway's own known_hosts cannot be read or written: no host key can be trusted. */
  z.object({ kind: z.literal('known-hosts-unusable'), detail: z.string() }),
  /** A jump host is logged in to, and does not lead on to `to`; `isForbidden`: its configuration says no. */
  z.object({ kind: z.literal('no-way-on'), to: sshAddress, detail: z.string(), isForbidden: z.boolean() }),
  /** It cannot be told through which jump hosts to go. Nothing was sent anywhere. */
  z.object({ kind: z.literal('way-unclear'), detail: sshDetail }),
])
export type ProblemAtOnePlace = NamedUnion<z.infer<typeof anyAtOnePlace>>
const problemAtOnePlace: NamedSchema<ProblemAtOnePlace> = anyAtOnePlace

/** Why a connection could not be made or was lost. */
const anySshProblem = z.discriminatedUnion('kind', [
  ...anyAtOnePlace.options,
  /** At a jump host on the way. */
  z.object({
    kind: z.literal('at-hop'),
    hop: hopPlace.extend({ address: sshAddress }),
    problem: problemAtOnePlace,
  }),
  /** At both addresses of an instance; no key and no password was sent to either. */
  z.object({
    kind: z.literal('both-addresses'),
    tries: z.array(z.object({ address: sshAddress, problem: problemAtOnePlace })).readonly(),
  }),
  /** `~/.ssh/config` names a ProxyCommand for the machine; it is not run, and the direct route failed. */
  z.object({ kind: z.literal('proxy-command'), problem: problemAtOnePlace }),
])
export type SshProblem = NamedUnion<z.infer<typeof anySshProblem>>
export const sshProblem: NamedSchema<SshProblem> = anySshProblem

/** Whether it's of the address that was tried, and of no other place. */
export function isAtOnePlace(problem: SshProblem): problem is ProblemAtOnePlace {
  return problem.kind !== 'at-hop' && problem.kind !== 'both-addresses' && problem.kind !== 'proxy-command'
}

/** A host key as it is shown: OpenSSH's names, fingerprint `SHA256:…` without padding. */
export const hostKey = z.object({ algorithm: z.string(), fingerprint: z.string() })
export type HostKey = z.infer<typeof hostKey>

/** Where something is tried; with `hop` it is a jump host on the way. */
export const somewhere = { address: sshAddress.nullable(), hop: hopPlace.optional() }
