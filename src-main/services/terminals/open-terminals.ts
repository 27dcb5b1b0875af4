import { join } from 'node:path'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { ScrollbackFiles } from './scrollback-files.ts'
import { SavedTerminals, savedTerminalsFile } from './saved-terminals.ts'
import { createTerminals, type Terminals, type TerminalsOptions } from './terminals.ts'

export interface TerminalsDependencies extends TerminalsOptions {
  readonly folder: Pick<Folder, 'path' | 'file'>
  readonly preferences: Latest<Preferences>
  /** A terminal is opened on this instance. */
  readonly onOpened: (instanceId: number) => void
  /** Opens an http address in the browser. */
  readonly openPlainLink: (url: string) => Promise<'opened' | 'refused' | 'failed'>
}

export type TerminalsService = Awaited<ReturnType<typeof openTerminals>>

/**
 * The account's terminals, with what is kept of them for the next start.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openTerminals(from: TerminalsDependencies, lifetime: Lifetime) {
  const { folder, preferences, onOpened, openPlainLink, log } = from
  const saved = new SavedTerminals({
    file: await openJsonFile({ ...folder.file('terminals.json'), ...savedTerminalsFile }),
    screens: new ScrollbackFiles({ folder: join(folder.path, 'scrollback'), log }),
    preferences,
    log,
  })
  const terminals = createTerminals(from)
  const open: Terminals['open'] = (request) => {
    onOpened(request.instanceId)
    return terminals.open(request)
  }
  // Until the terminals have ended, so that what they showed last is kept, and no longer: others may take their time.
  const end = new AbortController()
  lifetime.follow(() => saved.follow(end.signal))
  lifetime.onEnd(async () => {
    await terminals.dispose()
    end.abort()
  })
  return { ...terminals, open, saved, openPlainLink }
}
