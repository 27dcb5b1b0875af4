import { onTestFinished } from 'vitest'
import type { OpenOutcome, RemoteFile, SaveOutcome } from '#domain/files/opened-file.ts'
import { OpenedFiles, type OpenedFilesOptions } from '#services/files/open/opened-files.ts'
import type { Connect } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { memoryLog } from '../../../support/memory-log.ts'

/** The app's opened files on an instance; their sessions end with the test. */
export function openedFiles(
  connect: Connect,
  folder: string,
  { clock = systemClock, isConnected = () => true, log = memoryLog() }: Partial<OpenedFilesOptions> = {},
) {
  const sessions = new SessionPool(clock)
  onTestFinished(() => sessions.dispose())
  const files = new OpenedFiles({ connect, sessions, isConnected, clock, log })
  const at = (name: string): RemoteFile => ({ instanceId: 1, folder, name })
  const open = (name: string, asLog = false): Promise<OpenOutcome> => files.open({ ...at(name), asLog })
  /** What is there is expected to be there still. */
  async function openText(name: string) {
    const outcome = await open(name)
    if (outcome.kind !== 'text') throw new Error(`${name} isn't text: ${JSON.stringify(outcome)}`)
    return outcome.text
  }
  const save = (
    name: string,
    text: string,
    expected: string | null,
    { inPlace = false, mode = null }: { readonly inPlace?: boolean; readonly mode?: number | null } = {},
  ): Promise<SaveOutcome> => files.save({ ...at(name), text, expected, mode, inPlace })
  return { files, at, open, openText, save }
}
