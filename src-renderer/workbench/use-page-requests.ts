import { shallowRef, watch, type Ref } from 'vue'
import { useRouter } from 'vue-router'
import type { PageRequest } from '#domain/workbench/page-request.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useCommands } from './use-commands.ts'

export type UnclearLink = Extract<PageRequest, { kind: 'instance-unclear' }>

/**
 * Does what the menu, the tray or a link asks of this page.
 *
 * @returns a link whose account nobody knows, until it is set to `null`
 */
export function usePageRequests(): Ref<UnclearLink | null> {
  const router = useRouter()
  const commands = useCommands()
  const unclear = shallowRef<UnclearLink | null>(null)
  const { latest } = useWatch(client.workbench.watchPageRequests)
  watch(latest, (pageRequest) => {
    switch (pageRequest?.kind) {
      case 'command':
        commands.run(pageRequest.id)
        break
      case 'instance':
        void router.push(`/instances/${pageRequest.id}`)
        break
      case 'instance-unclear':
        unclear.value = pageRequest
        break
      case undefined:
        break
    }
  })
  return unclear
}
