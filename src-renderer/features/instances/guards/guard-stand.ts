import { computed } from 'vue'
import type { GuardView } from '#domain/guards/guard.ts'
import { isActive, watchedOf } from '#domain/guards/watcher.ts'
import { askedMark } from '#shared/ssh/asked-mark.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { useNow } from '#ui/use-now.ts'
import { guardStandText } from '#shared/guards/guard-text.ts'
import { useGuardsStore } from '#shared/guards/guards-store.ts'
import { watchedText } from './watcher-text.ts'

/** How the auto-stop rules of an instance stand, wherever they run. */
export function useGuardStand(instanceId: () => number) {
  const store = useGuardsStore()
  const ssh = useSshStore()
  const now = useNow()
  const guards = computed(() => store.guardsOf(instanceId()))
  const watcher = computed(() => store.watcherOf(instanceId()))

  /** Those that are removed here, and that the instance still has. */
  const removed = computed(() =>
    (watcher.value?.watched ?? []).filter(({ id }) => !guards.value.some((guard) => guard.id === id)),
  )

  /** It is to run on the instance, and may not do so as it was set, as far as Slipway knows. */
  function isDoubtful(guard: GuardView): boolean {
    if (guard.place === 'slipway') return false
    return watcher.value?.isProven === false || !isActive(guard, watcher.value, now.value)
  }
  function standText(guard: GuardView): string {
    if (guard.place === 'slipway') return guardStandText(guard, now.value)
    const asked = watchedOf(guard.id, watcher.value) === null ? askedMark(ssh.stateOf(instanceId())) : null
    return asked === null ? watchedText(guard, watcher.value, now.value) : `Not active: ${asked.label}`
  }
  return { guards, removed, watcher, isDoubtful, standText }
}
