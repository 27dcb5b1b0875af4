import type { Clock } from '../domain/clock.ts'
import { Latest } from '../domain/latest.ts'
import { preferences, type Preferences, type PreferencesChange } from '../domain/settings.ts'
import { openJsonFile, type StorageNotice } from './json-file.ts'

export interface PreferencesFile {
  readonly latest: Latest<Preferences>
  /** On the disk when it resolves. @throws ProblemError storage-failed; nothing is changed then */
  readonly update: (change: PreferencesChange) => Promise<void>
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openPreferences(options: {
  readonly path: string
  readonly clock: Clock
  readonly onCorrupt: (notice: StorageNotice) => void
}): Promise<PreferencesFile> {
  const fallback = preferences.parse({})
  const file = await openJsonFile({ ...options, version: 1, schema: preferences, fallback })
  const latest = new Latest(file.value)
  return {
    latest,
    update: async (change) => {
      latest.set(await file.update((current) => preferences.parse({ ...current, ...named(change) })))
    },
  }
}

/** Without the fields that are there but hold nothing: they would set a preference back to its default. */
function named(change: PreferencesChange): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
