import { computed } from 'vue'
import type { GuardView } from '#domain/guards/guard.ts'
import { askedMark } from '#shared/ssh/asked-mark.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { useNow } from '#ui/use-now.ts'
import { guardStandText } from './guard-text.ts'
import { useGuardsStore } from './guards-store.ts'
import { isWatched, watchedText } from './watcher-text.ts'

/** How the auto-stop rules of an instance stand, wherever they run. */
export function useGuardStand(instanceId: () => number) {
  const store = useGuardsStore()
  const ssh = useSshStore()
  const now = useNow()
  const guards = computed(() => store.guardsOf(instanceId()))
  const watcher = computed(() => store.watcherOf(instanceId()))

  /** It is to run on the instance, and doesn't as far as Slipway knows. */
  function isInactive(guard: GuardView): boolean {
    return guard.place === 'instance' && !isWatched(guard, watcher.value)
  }
  function standText(guard: GuardView): string {
    if (guard.place === 'slipway') return guardStandText(guard, now.value)
    const asked = isInactive(guard) ? askedMark(ssh.stateOf(instanceId())) : null
    return asked === null ? watchedText(guard, watcher.value, now.value) : `Not active: ${asked.label}`
  }
  return { guards, watcher, isInactive, standText }
}
