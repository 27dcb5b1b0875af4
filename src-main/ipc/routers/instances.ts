import { implement } from '@orpc/server'
import { changesOf } from '../../contract/instances-changes.ts'
import { instances as contract } from '../../contract/instances.ts'
import type { InstancesService } from '../../services/instances/open-instances.ts'
import type { ExternalLinks } from '../../services/instances/external-links.ts'

const os = implement(contract)

/** The calls of `contract/instances.ts`, answered by the service. */
export function instancesRouter({
  list,
  watch,
  activity,
  own,
  links,
  actions,
  forgetAction,
}: InstancesService & { readonly links: ExternalLinks }) {
  return os.router({
    watch: os.watch.handler(({ signal }) => changesOf(list.list.watch(signal))),
    whileShown: os.whileShown.handler(({ signal }) => watch.whileShown(signal)),
    activity: os.activity.handler(({ input, signal }) => activity.entries(input.id, signal)),
    writeOwn: os.writeOwn.handler(({ input }) => own.write(input.id, input.own)),
    editors: os.editors.handler(() => links.editors()),
    openEditor: os.openEditor.handler(({ input }) => links.openEditor(input.id, input.editor, input.folder)),
    openPort: os.openPort.handler(({ input }) => links.openPort(input)),
    refresh: os.refresh.handler(() => watch.refresh()),
    stop: os.stop.handler(({ input }) => actions.stop(input.id)),
    destroy: os.destroy.handler(({ input }) => actions.destroy(input.id)),
    forgetAction: os.forgetAction.handler(({ input }) => forgetAction(input.id)),
  })
}
