import type { Clock } from '../../domain/base/clock.ts'
import { emptyWorkbenchState, workbenchState, withRecent } from '../../domain/workbench/workbench-state.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Preferences } from '../../domain/settings/settings.ts'
import { openJsonFile, type StorageNotice } from '../storage/json-file.ts'

/** How the window of an account was left: its page, and what was chosen in the palette. */
export interface WorkbenchStateFile {
  /** Where the window begins; `null`: at its first page. */
  readonly page: () => string | null
  /** The latest first. */
  readonly recents: () => readonly string[]
  /** @throws ProblemError storage-failed */
  readonly noteRecent: (id: string) => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly keepPage: (page: string) => Promise<void>
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openWorkbenchState({
  preferences,
  ...options
}: {
  readonly path: string
  readonly clock: Clock
  readonly onNotice: (notice: StorageNotice) => void
  readonly preferences: Pick<Latest<Preferences>, 'value'>
}): Promise<WorkbenchStateFile> {
  const file = await openJsonFile({
    ...options,
    schema: workbenchState,
    fallback: emptyWorkbenchState,
    whenNewer: 'in-memory',
  })
  return {
    page: () => (preferences.value.restorePage ? file.value.page : null),
    recents: () => file.value.recents,
    noteRecent: async (id) => {
      await file.update((state) => ({ ...state, recents: withRecent(state.recents, id) }))
    },
    keepPage: async (page) => {
      if (page !== file.value.page) await file.update((state) => ({ ...state, page }))
    },
  }
}
