import { watch } from 'vue'
import type { FilePlace, FolderOutcome } from '#domain/files/transfer.ts'
import type { PanePosition } from './files-view-store.ts'
import { useFileRows } from './use-file-rows.ts'
import { useFileSelection } from './use-file-selection.ts'
import { useFolderSizes } from './use-folder-sizes.ts'
import { useFolder, type Step } from './use-folder.ts'
import { useRename } from './use-rename.ts'

/** All of one side of the page: its folder, what is shown and selected of it, and what is being done in it. */
export function usePane(at: PanePosition, place: FilePlace, list: (step: Step) => Promise<FolderOutcome>) {
  const folder = useFolder(place, list)
  const sizes = useFolderSizes(folder)
  const rows = useFileRows(at, folder, sizes)
  const selection = useFileSelection(folder, rows.rows)
  const rename = useRename(folder)
  watch(folder.path, rename.leave)
  return { folder, sizes, rows, selection, rename }
}
export type Pane = ReturnType<typeof usePane>
