import { isDeepStrictEqual } from 'node:util'
import { invalidInput, ProblemError } from '../../domain/base/problem.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { FilePlace } from '../../domain/files/transfer.ts'
import {
  filePlaces,
  mostBookmarks,
  noPlaces,
  placesOf,
  type FilePlaces,
  type PlacesOfSide,
} from '../../domain/files/file-places.ts'
import { wholeListAt, type InstancesSnapshot } from '../../domain/instances/instance.ts'
import type { JsonFile, JsonFileShape } from '../storage/json-file.ts'

export const filePlacesFile: JsonFileShape<FilePlaces> = {
  schema: filePlaces,
  fallback: { local: noPlaces, instances: {} },
}

interface KeptPlacesOptions {
  readonly file: Pick<JsonFile<FilePlaces>, 'value' | 'update' | 'isNewer'>
  /** Which instances are gone. */
  readonly snapshot: Pick<Latest<InstancesSnapshot>, 'watch'>
  readonly log: Log
}

/** Folders that the user goes back to: bookmarks, and where each side was last. */
export class KeptPlaces {
  readonly state: Latest<FilePlaces>
  readonly #options: KeptPlacesOptions

  constructor(options: KeptPlacesOptions) {
    this.#options = options
    this.state = new Latest(options.file.value)
  }

  /** The folder of an instance that was shown last; `null` when none was. */
  lastFolderOf(instanceId: number): string | null {
    return placesOf(this.state.value, { side: 'remote', instanceId }).last
  }

  /** Adds a bookmark, or removes it. @throws ProblemError invalid-input when there are too many; storage-failed, newer-file */
  async setBookmark(place: FilePlace, path: string, isOn: boolean): Promise<void> {
    await this.#change(place, ({ bookmarks, last }) => {
      const others = bookmarks.filter((other) => other !== path)
      if (isOn && others.length >= mostBookmarks)
        throw invalidInput('path', { code: 'too-many', most: mostBookmarks })
      if (isOn && others.length < bookmarks.length) return { bookmarks, last }
      return { bookmarks: isOn ? [...others, path] : others, last }
    })
  }

  /** That a folder is shown now. It isn't worth a complaint when that can't be kept. */
  async noteShown(place: FilePlace, path: string): Promise<void> {
    if (this.#options.file.isNewer) return
    try {
      await this.#change(place, ({ bookmarks }) => ({ bookmarks, last: path }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      this.#options.log.warn(`Which folder was shown last could not be kept: ${error.problem.kind}`)
    }
  }

  /** Forgets the folders of instances that are gone, by each new list, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    const { file, snapshot, log } = this.#options
    let seenAt: number | null = null
    for await (const latest of snapshot.watch(signal)) {
      const { instances } = latest
      const fetchedAt = wholeListAt(latest)
      if (instances === null || fetchedAt === null || fetchedAt === seenAt) continue
      seenAt = fetchedAt
      const listed = new Set(instances.map(({ id }) => String(id)))
      if (Object.keys(file.value.instances).every((id) => listed.has(id))) continue
      try {
        this.state.set(
          await file.update(({ local, instances: kept }) => ({
            local,
            instances: Object.fromEntries(Object.entries(kept).filter(([id]) => listed.has(id))),
          })),
        )
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        log.warn(`Folders of an instance that is gone could not be forgotten yet: ${error.problem.kind}`)
      }
    }
  }

  async #change(place: FilePlace, change: (kept: PlacesOfSide) => PlacesOfSide): Promise<void> {
    const { file } = this.#options
    const isSame = (all: FilePlaces): boolean =>
      isDeepStrictEqual(change(placesOf(all, place)), placesOf(all, place))
    // A folder that is refreshed isn't another one.
    if (isSame(file.value)) return
    const next = await file.update((all) => {
      const changed = change(placesOf(all, place))
      return place.side === 'local'
        ? { ...all, local: changed }
        : { ...all, instances: { ...all.instances, [place.instanceId]: changed } }
    })
    this.state.set(next)
  }
}
