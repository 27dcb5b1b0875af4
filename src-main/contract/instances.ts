import { eventIterator } from '@orpc/contract'
import { z } from 'zod'
import { activityEntry } from '../domain/instances/activity.ts'
import { shellFolder } from '../domain/terminals/shell-wish.ts'
import { editor } from '../domain/instances/editor-link.ts'
import { linkOutcome } from '../domain/instances/link-outcome.ts'
import { labelNote } from '../domain/instances/listed-instance.ts'
import { accountProcedure, nothing, procedure } from './base.ts'
import { instancesChange } from './instances-changes.ts'

const one = z.object({ id: z.number().int() })

export const instances = {
  /** The latest list, at once and after every change; `wholeLists` puts it together. */
  watch: procedure.output(eventIterator(instancesChange)),
  /** Held open while instances are on the screen: the list is then asked for as often as the service advises. */
  whileShown: procedure.output(eventIterator(z.literal(true))),
  /** What Slipway saw of one instance and did with it, the newest last; also after it has gone. */
  activity: procedure.input(one).output(eventIterator(z.array(activityEntry).readonly())),
  /** Keeps the user's label and note on this machine; empty ones are forgotten. */
  writeOwn: accountProcedure.input(one.extend({ own: labelNote })).output(nothing),
  /** Editors of this computer that can open an instance, none when the system names none. */
  editors: procedure.output(z.array(editor).readonly()),
  /** Opens the instance in an editor, with the folder that was used last. Main makes the link from what the service says. */
  /** `folder`: where a terminal's shell says that it is; `null` for the one that was shown last. */
  openEditor: procedure.input(one.extend({ editor, folder: shellFolder.nullable() })).output(linkOutcome),
  /** Opens a mapped port in the system's browser, after the user was asked. */
  openPort: procedure
    .input(
      one.extend({
        containerPort: z.number().int(),
        hostPort: z.number().int(),
        scheme: z.enum(['http', 'https']),
      }),
    )
    .output(linkOutcome),
  /** Asks the service now. */
  refresh: procedure.output(nothing),
  /** Compute billing halts, the disk is still charged. */
  stop: accountProcedure.input(one).output(nothing),
  /** The machine and its disk are gone, and all billing stops. */
  destroy: accountProcedure.input(one).output(nothing),
  /** Lets go of a stop or destroy that did not take: it is shown no more. */
  forgetAction: procedure.input(one).output(nothing),
}
