import type { Latest } from '../../domain/base/latest.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import {
  emptyWorkbenchState,
  workbenchState,
  withRecent,
  type WorkbenchState,
} from '../../domain/workbench/workbench-state.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile, peekJsonFile, type JsonFileShape } from '../storage/json-file.ts'
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

const workbenchFile: JsonFileShape<WorkbenchState> = {
  schema: workbenchState,
  fallback: emptyWorkbenchState,
  whenNewer: 'in-memory',
}

interface WorkbenchDependencies {
  readonly file: Folder['file']
  readonly preferences: Pick<Latest<Preferences>, 'value'>
}

/** Where the window of an account begins, before the account is open; `null`: at its first page. */
export async function peekPage({ file, preferences }: WorkbenchDependencies): Promise<string | null> {
  if (!preferences.value.restorePage) return null
  return (await peekJsonFile({ ...file('frame.json'), ...workbenchFile }))?.page ?? null
}

/**
 * What stands around the pages of one account.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openWorkbench({ file, preferences }: WorkbenchDependencies): Promise<WorkbenchService> {
  const state = await openJsonFile({ ...file('frame.json'), ...workbenchFile })
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
