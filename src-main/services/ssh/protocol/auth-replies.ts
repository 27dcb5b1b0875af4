import type { Client } from 'ssh2'
import { at, isHandler, isObject, type Handler } from './inside.ts'

export interface AuthReplies {
  /** The host let nobody in yet: what it takes next, and whether what came last was one step of several. */
  readonly onRefused: (accepts: readonly string[], isPartial: boolean) => void
  /**
   * It sends a round of prompts, which ssh2 answers by itself where there are none.
   *
   * @returns whether it is gone on with
   */
  readonly onPrompts: (count: number, name: string, instruction: string) => boolean
}

interface Protocol {
  authPK: (...told: readonly unknown[]) => void
  readonly _handlers: Record<string, Handler | undefined>
}

/**
 * Hears what a host says of a login, in ssh2 1.17 from the inside, right after `loginEarly`. ssh2 goes through all keys
 * of an agent before it tells that the host takes no more of them, and forgets what was told with the first: a host that
 * wants a code after the key would have counted each as a wrong try. Here no key is sent once the host has said that
 * it takes none. A round without prompts ssh2 answers and tells nobody.
 *
 * @returns whether the inside of ssh2 was as expected
 */
export function hearAuthReplies(client: Client, { onRefused, onPrompts }: AuthReplies): boolean {
  const protocol = at(client, '_protocol')
  if (!isProtocol(protocol)) return false
  const { authPK, _handlers: handlers } = protocol
  const { USERAUTH_FAILURE: refuse, USERAUTH_INFO_REQUEST: ask } = handlers
  if (refuse === undefined || ask === undefined) return false
  let takesNoKeys: readonly string[] | null = null
  handlers['USERAUTH_FAILURE'] = (inner, methods, isPartial) => {
    const accepts = Array.isArray(methods) ? methods.map(String) : []
    takesNoKeys = accepts.includes('publickey') ? null : accepts
    onRefused(accepts, isPartial === true)
    refuse(inner, accepts, isPartial)
  }
  handlers['USERAUTH_INFO_REQUEST'] = (inner, name, instruction, prompts) => {
    const count = Array.isArray(prompts) ? prompts.length : 0
    if (onPrompts(count, String(name), String(instruction))) ask(inner, name, instruction, prompts)
  }
  protocol.authPK = (...told) => {
    if (takesNoKeys === null) authPK.apply(protocol, [...told])
    else refuse(protocol, takesNoKeys, false)
  }
  return true
}

function isProtocol(value: unknown): value is Protocol {
  return isHandler(at(value, 'authPK')) && isObject(at(value, '_handlers'))
}
