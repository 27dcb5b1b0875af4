import { z } from 'zod'
import { Latest } from '../../domain/base/latest.ts'
import { preferences, type Preferences, type PreferencesChange } from '../../domain/settings/settings.ts'
import { stepFrom } from '../../domain/base/file-version.ts'
import { openJsonFile, type JsonFilePlace, type JsonFileShape } from '../storage/json-file.ts'

export interface PreferencesFile {
  readonly latest: Latest<Preferences>
  /** A newer Slipway wrote the file: changes hold until the end of this run. */
  readonly isNewer: boolean
  readonly path: string
  /** On the disk when it resolves. @throws ProblemError storage-failed; nothing is changed then */
  readonly update: (change: PreferencesChange) => Promise<void>
}

/** There was one identity file before there could be several. */
const withIdentityFiles = stepFrom(
  z
    .looseObject({ identityFile: z.string() })
    .transform(({ identityFile, ...others }) => ({ identityFiles: [identityFile], ...others })),
)

export const preferencesFile: JsonFileShape<Preferences> = {
  schema: preferences,
  steps: [withIdentityFiles],
  fallback: preferences.parse({}),
  whenNewer: 'in-memory',
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openPreferences(place: JsonFilePlace): Promise<PreferencesFile> {
  const file = await openJsonFile({ ...place, ...preferencesFile })
  const latest = new Latest(file.value)
  return {
    latest,
    isNewer: file.isNewer,
    path: place.path,
    update: async (change) => {
      latest.set(await file.update((current) => preferences.parse({ ...current, ...named(change) })))
    },
  }
}

/** Without the fields that are there but hold nothing: they would set a preference back to its default. */
function named(change: PreferencesChange): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}
