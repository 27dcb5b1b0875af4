import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { defaultFileView, type FileView } from '#domain/files/file-places.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useKeptView } from '#ui/use-kept-view.ts'
import { byName, sortedBy, type FileColumn, type FileSorting } from './file-order.ts'

/** Where a pane is on its page. */
export type PanePosition = 'left' | 'right'

/** How folders are looked at: their order until you quit, and hidden files for good. */
export const useFilesViewStore = defineStore('files-view', () => {
  const preferences = usePreferencesStore()
  const { view, change } = useKeptView<FileView>({
    kept: () => preferences.preferences?.fileView,
    initial: defaultFileView,
    change: (fileView) => ({ fileView }),
  })
  const sorting = shallowRef<Readonly<Record<PanePosition, FileSorting>>>({
    left: byName,
    right: byName,
  })
  return {
    sorting,
    sortBy: (at: PanePosition, column: FileColumn) => {
      sorting.value = { ...sorting.value, [at]: sortedBy(column, sorting.value[at]) }
    },
    showsHidden: computed(() => view.value.showsHidden),
    showHidden: (showsHidden: boolean) => change({ showsHidden }),
  }
})
