import type { Latest } from '../../domain/base/latest.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { Folder } from '../storage/folder.ts'
import { Errands } from './errands.ts'
import { openFrameDesk, type FrameDeskFile } from './frame-desk.ts'

export interface WorkbenchService extends FrameDeskFile {
  /** What the menu, the tray or a link asks of the account's page. */
  readonly errands: Errands
}

/**
 * What stands around the pages of one account.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openWorkbench({
  file,
  preferences,
}: {
  readonly file: Folder['file']
  readonly preferences: Pick<Latest<Preferences>, 'value'>
}): Promise<WorkbenchService> {
  const desk = await openFrameDesk({ ...file('frame.json'), preferences })
  return { ...desk, errands: new Errands() }
}
