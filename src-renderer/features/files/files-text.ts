import { shownName } from '#domain/files/file-name.ts'
import { counted, plural } from '#domain/base/plural.ts'
import type { ConflictChoice, FileSide } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatNumber } from '#ui/format.ts'
import { places } from './transfer-text.ts'
import type { FolderState } from './use-folder.ts'

export const conflictChoices: readonly { readonly value: ConflictChoice; readonly label: string }[] = [
  { value: 'skip', label: 'Skip existing files' },
  { value: 'keep-both', label: 'Keep both, and number the new files' },
  { value: 'replace-older', label: 'Replace older files' },
  { value: 'replace', label: 'Replace all files' },
]

/** The question about files whose names are taken. @param side where they exist */
export function conflictText(count: number, side: FileSide, folder: string): string {
  return `${counted(count, 'file')} already ${plural(count, 'exists', 'exist')} in ${shownName(folder)} on ${places[side]}. Nothing was copied yet.`
}

/** What deleting means on each side. @param names of the entries to be deleted; at least one */
export function removalText(side: FileSide, names: readonly string[], folder: string) {
  const what = names.length === 1 ? shownName(names[0] ?? '') : counted(names.length, 'entry', 'entries')
  switch (side) {
    case 'remote':
      return {
        title: `Delete ${what} permanently?`,
        description: `This deletes from ${shownName(folder)} on the instance, with everything in folders. You can’t undo this.`,
        action: 'Delete permanently',
        color: 'error',
      } as const
    case 'local':
      return {
        title: `Move ${what} to the trash?`,
        description: `From ${shownName(folder)} on this computer. You can restore it from the trash.`,
        action: 'Move to trash',
        color: 'primary',
      } as const
  }
}

export const emptyFolderText =
  'This folder is empty. Select files on the other side to copy them here, or go up a folder.'

export function omittedText(count: number): string {
  return `${counted(count, 'more entry isn’t listed', 'more entries aren’t listed')}. To get all of them, copy the folder.`
}

export const droppedFromOutsideText =
  'Nothing was copied: Slipway can’t see where files dropped from other windows are. Drag them from the list on the left, or select “Choose files…”.'

function selectedText(count: number): string {
  return `${formatNumber(count)} selected`
}

/** What is selected in a pane, or which buttons of its toolbar are off for want of it. @param count of the selected entries */
export function toolsText(count: number): string {
  if (count === 0) return 'Select to rename or delete'
  return count === 1 ? selectedText(1) : `${selectedText(count)}. Rename takes 1.`
}

/**
 * Why Upload or Download is off; `null` when both can be chosen.
 *
 * @param selected how many entries on each side
 * @param connection to the instance
 */
export function copyHint(
  selected: Readonly<Record<FileSide, number>>,
  folders: Readonly<Record<FileSide, FolderState>>,
  connection: ConnectionState['kind'],
): string | null {
  if (folders.remote !== 'listed' && connection !== 'open')
    return folders.remote === 'listing' ? 'Connecting to the instance…' : 'Not connected to the instance.'
  for (const side of ['remote', 'local'] as const) {
    if (folders[side] === 'listing') return `Listing the files on ${places[side]}…`
    if (folders[side] === 'unlisted') return `Couldn’t list the files on ${places[side]}.`
  }
  if (selected.local === 0 && selected.remote === 0) return 'Select files or folders to copy.'
  if (selected.local === 0) return `To upload, select files on ${places.local}.`
  return selected.remote === 0 ? `To download, select files on ${places.remote}.` : null
}
