import { until } from '@vueuse/core'
import { computed, shallowRef, watch } from 'vue'
import { noPlaces, placesOf, type FilePlaces } from '#domain/files/file-places.ts'
import type { FilePlace } from '#domain/files/transfer.ts'
import { client } from '#ipc/client.ts'
import { useWatch } from '#ipc/watch.ts'
import { useAction } from '#ui/use-action.ts'
import type { Pane } from './use-pane.ts'

const home = { path: '', step: null }

/** A folder that was to be shown at first, and couldn't be. */
export interface MissedFolder {
  readonly place: FilePlace
  readonly path: string
  /** The link that led there named it, or it was shown last. */
  readonly why: 'asked' | 'last'
}

interface FilePlacesOptions {
  /** The folder that is asked for in one pane; `null` for those that were shown last. */
  readonly wanted: { readonly pane: Pane; readonly path: string } | null
  /** Whether the home folder may be there where another one isn't. */
  readonly canGoHome: (place: FilePlace) => boolean
}

/** Shows in each pane what was shown in it last, and keeps that for the next time. */
export function useFilePlaces(panes: readonly Pane[], { wanted, canGoHome }: FilePlacesOptions) {
  const { latest } = useWatch(client.files.watchPlaces)
  const places = computed<FilePlaces>(() => latest.value ?? { local: noPlaces, instances: {} })
  const missed = shallowRef<readonly MissedFolder[]>([])
  const noting = useAction((place: FilePlace, path: string) => client.files.noteShown({ place, path }), {
    attempt: 'save',
    inTurn: true,
  })

  /** Where nothing could be shown yet, also once more. */
  async function begin(pane: Pane): Promise<void> {
    const { folder } = pane
    const { place } = folder
    const isAsked = wanted?.pane === pane
    if (!isAsked) await until(latest).not.toBeNull()
    const path = isAsked ? wanted.path : placesOf(places.value, place).last
    if (path !== null) {
      if ((await folder.go({ path, step: null })) === 'shown') return
      // Somebody has gone elsewhere meanwhile.
      if (folder.pending.value || folder.listed.value !== null || !canGoHome(place)) return
      const others = missed.value.filter((one) => one.place !== place)
      missed.value = [...others, { place, path, why: isAsked ? 'asked' : 'last' }]
    }
    await folder.go(home)
  }
  for (const pane of panes) {
    void begin(pane)
    watch(pane.folder.path, (path) => void noting.run(pane.folder.place, path))
  }

  return { places, missed, begin }
}
