import type { Latest } from '../../domain/base/latest.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import type { Folder } from '../storage/folder.ts'
import { PageRequests } from './page-requests.ts'
import { openWorkbenchState, type WorkbenchStateFile } from './workbench-state.ts'

export interface WorkbenchService extends WorkbenchStateFile {
  /** What the menu, the tray or a link asks of the account's page. */
  readonly pageRequests: PageRequests
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
  const state = await openWorkbenchState({ ...file('frame.json'), preferences })
  return { ...state, pageRequests: new PageRequests() }
}
