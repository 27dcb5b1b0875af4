import { effectScope, onScopeDispose, shallowRef, watch, type EffectScope, type ShallowRef } from 'vue'
import type { OpenPort } from '#domain/forwards/open-port.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { whileVisible } from '#shared/workbench/while-visible.ts'

/**
 * The ports that an instance listens on, the newest last, while a terminal is open on it. Main looks at them for as long
 * as the component lives and the page is seen.
 *
 * @param instanceId `null` for none
 */
export function useOpenPorts(instanceId: () => number | null): Readonly<ShallowRef<readonly OpenPort[]>> {
  const ports = shallowRef<readonly OpenPort[]>([])
  let scope: EffectScope | null = null
  const stop = (): void => scope?.stop()
  watch(
    instanceId,
    (id) => {
      stop()
      ports.value = []
      if (id === null) return
      scope = effectScope(true)
      scope.run(() =>
        whileVisible(() => {
          const { latest } = useWatch((_, options) => client.forwards.watchPorts({ instanceId: id }, options))
          watch(latest, (next) => (ports.value = next ?? []))
        }),
      )
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return ports
}
