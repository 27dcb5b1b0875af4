import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { dropChannel, mostDropped } from '../../contract/port-channel.ts'
import type { Log } from '../../domain/base/log.ts'
import { whySenderRefused, type Expected, type SenderFrame } from './sender.ts'

/** What preload.ts sends, as Electron presents it. */
export interface ToldDrop {
  /** Found when it is asked for, and `null` when its document is gone by then. */
  readonly senderFrame: SenderFrame | null
}

/** The part of Electron's WebContents that is used here. */
export interface DropSource {
  readonly mainFrame: SenderFrame
  readonly ipc: { on(channel: string, listener: (event: ToldDrop, message: unknown) => void): unknown }
}

/** As long as any system's paths. */
const longestPath = 4_096
const droppedFiles = z.strictObject({
  at: z.number(),
  paths: z
    .array(
      z
        .string()
        .max(longestPath)
        .refine((path) => isAbsolute(path) && !path.includes('\0')),
    )
    .max(mostDropped),
})

/**
 * Hears where files lie that the user dropped on the page: from the main frame of this window only, while it shows the
 * page's own origin. All else is logged without its paths.
 */
export function acceptDrops(
  contents: DropSource,
  options: Omit<Expected, 'mainFrame'> & {
    /** @param at the time of the event in its document, by which the page asks for the paths */
    readonly onDrop: (at: number, paths: readonly string[]) => void
    readonly log: Log
  },
): void {
  contents.ipc.on(dropChannel, ({ senderFrame }, message) => {
    const why = whySenderRefused(senderFrame, { ...options, mainFrame: contents.mainFrame })
    const dropped = droppedFiles.safeParse(message)
    if (why === null && dropped.success) options.onDrop(dropped.data.at, dropped.data.paths)
    else options.log.warn(`Refused a drop: ${why ?? 'it has no paths of files'}`)
  })
}
