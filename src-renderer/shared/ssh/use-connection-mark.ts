import { computed, type ComputedRef } from 'vue'
import type { Tone } from '#ui/tone.ts'
import { askedMark } from './asked-mark.ts'
import { useSshStore } from './ssh-store.ts'

interface Mark {
  readonly tone: Tone
  readonly label: string
}

/**
 * How something stands that needs a connection.
 *
 * @param isOnItsWay whether it waits for the connection: then what that asks its user comes first
 */
export function useConnectionMark(
  instanceId: () => number,
  isOnItsWay: () => boolean,
  own: () => Mark,
): ComputedRef<Mark> {
  const ssh = useSshStore()
  return computed(() => (isOnItsWay() ? askedMark(ssh.stateOf(instanceId())) : null) ?? own())
}
