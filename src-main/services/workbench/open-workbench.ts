import type { Latest } from '../../domain/base/latest.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import { emptyWorkbenchState, workbenchState, withRecent } from '../../domain/workbench/workbench-state.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { PageRequests } from './page-requests.ts'

/** How the window of an account was left, its page and what was chosen in the palette; and the way to its page. */
export interface WorkbenchService {
  /** Where the window begins; `null`: at its first page. */
  readonly page: () => string | null
  /** The latest first. */
  readonly recents: () => readonly string[]
  /** @throws ProblemError storage-failed */
  readonly noteRecent: (id: string) => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly keepPage: (page: string) => Promise<void>
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
  const state = await openJsonFile({
    ...file('frame.json'),
    schema: workbenchState,
    fallback: emptyWorkbenchState,
    whenNewer: 'in-memory',
  })
  return {
    page: () => (preferences.value.restorePage ? state.value.page : null),
    recents: () => state.value.recents,
    noteRecent: async (id) => {
      await state.update((now) => ({ ...now, recents: withRecent(now.recents, id) }))
    },
    keepPage: async (page) => {
      if (page !== state.value.page) await state.update((now) => ({ ...now, page }))
    },
    pageRequests: new PageRequests(),
  }
}
