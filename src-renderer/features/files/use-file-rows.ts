import { computed, ref, watch } from 'vue'
import { shownName } from '#domain/files/file-name.ts'
import type { FileEntry } from '#domain/files/transfer.ts'
import { inOrder, type FileColumn } from './file-order.ts'
import { useFilesViewStore, type PanePosition } from './files-view-store.ts'
import type { FolderSizes } from './use-folder-sizes.ts'
import type { Folder } from './use-folder.ts'

/** An entry as it is shown and found. */
export interface FileRow {
  readonly entry: FileEntry
  readonly shown: string
  /** In lower case. */
  readonly searched: string
}

/** The rows of a folder: what is hidden or filtered out is left out, the others are in order. */
export function useFileRows(at: PanePosition, folder: Folder, sizes: FolderSizes) {
  const view = useFilesViewStore()
  const filter = ref('')
  watch(folder.path, () => (filter.value = ''))

  const all = computed(() => (folder.listed.value?.entries ?? []).map(rowOf))
  const visible = computed(() =>
    view.showsHidden ? all.value : all.value.filter(({ entry }) => !entry.name.startsWith('.')),
  )
  const sorting = computed(() => view.sorting[at])
  // Sizes come one after the other: only who sorts by them sorts again.
  const ordered = computed(() => inOrder(visible.value, sorting.value, sizes.bytesOf))
  const rows = computed(() => {
    const wanted = filter.value.toLowerCase()
    return wanted === '' ? ordered.value : ordered.value.filter(({ searched }) => searched.includes(wanted))
  })

  return {
    rows,
    filter,
    sorting,
    sortBy: (column: FileColumn) => view.sortBy(at, column),
    /** Without those that are hidden. */
    total: computed(() => visible.value.length),
    hidden: computed(() => all.value.length - visible.value.length),
  }
}

function rowOf(entry: FileEntry): FileRow {
  // Nearly all names are nothing but ASCII that is seen, which is shown as it is.
  const shown = /^[ -~]*$/.test(entry.name) ? entry.name : shownName(entry.name)
  return { entry, shown, searched: shown.toLowerCase() }
}
