import type { SessionBinding } from '../protocol/session-binding.ts'
import { sshString } from './agent-frames.ts'

/** Numbers of draft-miller-ssh-agent, section 6.1. */
const type = {
  failure: 5,
  success: 6,
  requestIdentities: 11,
  identitiesAnswer: 12,
  signRequest: 13,
  signResponse: 14,
  extension: 27,
  extensionFailure: 28,
} as const

const sessionBind = sshString(Buffer.from('session-bind@openssh.com'))

export const agentFailure = Buffer.of(type.failure)

/**
 * Which answers a machine's request may have; `null` for what no machine may ask. It may list the keys and sign with
 * them, and say where it uses the agent on to, by which the agent decides on keys that are bound to hosts. Adding,
 * removing, locking and every other extension are the user's own.
 */
export function answersTo(request: Buffer): readonly number[] | null {
  switch (request[0]) {
    case type.requestIdentities:
      return [type.identitiesAnswer, type.failure]
    case type.signRequest:
      return [type.signResponse, type.failure]
    case type.extension: {
      const isBinding = request.subarray(1, 1 + sessionBind.length).equals(sessionBind)
      return isBinding ? [type.success, type.failure, type.extensionFailure] : null
    }
    default:
      return null
  }
}

/**
 * Tells the agent that it is asked from the other end of this connection (OpenSSH's PROTOCOL.agent, section 1), as
 * OpenSSH's client does for each channel.
 */
export function forwardingBind({ hostKey, sessionId, signature }: SessionBinding): Buffer {
  const isForwarding = Buffer.of(1)
  const parts = [hostKey, sessionId, signature].map(sshString)
  return Buffer.concat([Buffer.of(type.extension), sessionBind, ...parts, isForwarding])
}
