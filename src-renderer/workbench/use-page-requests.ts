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
 * @returns what has to be asked, each until it is set to `null`: about a link whose account nobody knows, and about the
 *   folder of a link to a job's definition
 */
export function usePageRequests(): {
  readonly unclear: Ref<UnclearLink | null>
  readonly jobFolder: Ref<string | null>
} {
  const router = useRouter()
  const commands = useCommands()
  const unclear = shallowRef<UnclearLink | null>(null)
  const jobFolder = shallowRef<string | null>(null)
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
      case 'job-folder':
        jobFolder.value = pageRequest.folder
        break
      case undefined:
        break
    }
  })
  return { unclear, jobFolder }
}
