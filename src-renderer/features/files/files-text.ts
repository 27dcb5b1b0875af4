import { shownName } from '#domain/files/file-name.ts'
import { counted, plural } from '#domain/base/plural.ts'
import { mostBookmarks } from '#domain/files/file-places.ts'
import { mostNamedEntries, type ConflictChoice, type FilePlace } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatNumber } from '#ui/format.ts'
import { placeName, places } from '#shared/files/transfer-text.ts'
import { sizeDetail, type SizeState } from './entry-text.ts'
import type { FolderState } from './use-folder.ts'

export const conflictChoices: readonly { readonly value: ConflictChoice; readonly label: string }[] = [
  { value: 'skip', label: 'Skip existing files' },
  { value: 'keep-both', label: 'Keep both, and number the new files' },
  { value: 'replace-older', label: 'Replace older files' },
  { value: 'replace', label: 'Replace all files' },
]

/** The question about files whose names are taken. @param where they exist */
export function conflictText(count: number, where: string, folder: string): string {
  return `${counted(count, 'file')} already ${plural(count, 'exists', 'exist')} in ${shownName(folder)} on ${where}. Nothing was copied yet.`
}

/** What deleting means on each side. @param names of the entries to be deleted; at least one */
export function removalText(place: FilePlace, names: readonly string[], folder: string) {
  const what = names.length === 1 ? shownName(names[0] ?? '') : counted(names.length, 'entry', 'entries')
  switch (place.side) {
    case 'remote':
      return {
        title: `Delete ${what} permanently?`,
        description: `This deletes from ${shownName(folder)} on ${placeName(place)}, with everything in folders. You can’t undo this.`,
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

/** What a copy between two instances means. */
export const throughHereText =
  'Files go through this computer: it must stay on, and your connection carries them twice.'

/** The button that copies to the other side. */
export interface CopyText {
  readonly label: string
  readonly icon: string
}

/** How copying from one side to the other is called; at least one of both is an instance. */
export function copyText(from: FilePlace, to: FilePlace): CopyText {
  if (from.side === 'local') return { label: 'Upload', icon: 'i-lucide-upload' }
  if (to.side === 'local') return { label: 'Download', icon: 'i-lucide-download' }
  return { label: `Copy to ${placeName(to)}`, icon: 'i-lucide-copy-plus' }
}

export const noBookmarksText = 'No bookmarks yet'

export const tooManyBookmarksText = `You have ${mostBookmarks} bookmarks here. Remove one to add another.`

/** @param filter what was typed; empty when everything is hidden */
export function nothingFoundText(filter: string): string {
  return filter === ''
    ? 'Only hidden files are here. To see them, select “Show hidden files”.'
    : `No names contain “${shownName(filter)}”. Press Esc in the filter to clear it.`
}

/** Why a folder isn't shown that a page was to begin with. @param why the link that led there named it, or it was shown last */
export function missedText(place: FilePlace, why: 'asked' | 'last'): string {
  return why === 'asked'
    ? `the folder you came from. This is the home folder.`
    : `the folder you opened last on ${placeName(place)}. This is the home folder.`
}

/** What is selected in a pane, or which buttons of its toolbar are off for want of it. @param count of the selected entries */
export function toolsText(count: number): string {
  if (count === 0) return 'Select to rename or delete'
  const selected = `${formatNumber(count)} selected`
  return count === 1 ? selected : `${selected}. Rename takes 1.`
}

/** What is selected in a pane, and what is to be known of its folder: the line below the list. */
export function statusText(of: {
  /** Without those that are hidden. */
  readonly total: number
  readonly hidden: number
  readonly selected: number
  readonly sizes: ReadonlyMap<string, SizeState>
}): string {
  const parts = [
    ...(of.selected === 0 ? [counted(of.total, 'entry', 'entries')] : []),
    // An empty folder has nothing to select.
    ...(of.total === 0 ? [] : [toolsText(of.selected)]),
    ...(of.hidden > 0 ? [`${formatNumber(of.hidden)} hidden`] : []),
    ...(of.selected > mostNamedEntries ? [tooManySelectedText] : []),
  ]
  const [name, state] = [...of.sizes].findLast(([, { kind }]) => kind !== 'counting') ?? []
  const detail = sizeDetail(state)
  if (name !== undefined && detail !== null) parts.push(`${shownName(name)}: ${detail}`)
  return parts.join(' · ')
}

const tooManySelectedText = `Select at most ${formatNumber(mostNamedEntries)}, or the folder they’re in`

/**
 * Why Upload or Download is off; `null` when both can be chosen.
 *
 * @param selected how many entries on each side
 * @param connection to the instance
 * @param between both sides, where each is an instance
 */
export function copyHint(
  selected: Readonly<Record<FilePlace['side'], number>>,
  folders: Readonly<Record<FilePlace['side'], FolderState>>,
  connection: ConnectionState['kind'],
  between: { readonly left: FilePlace; readonly right: FilePlace } | null = null,
): string | null {
  const names =
    between === null ? places : { local: placeName(between.left), remote: placeName(between.right) }
  if (folders.remote !== 'listed' && connection !== 'open')
    return folders.remote === 'listing'
      ? `Connecting to ${names.remote}…`
      : `Not connected to ${names.remote}.`
  for (const side of ['remote', 'local'] as const) {
    if (folders[side] === 'listing') return `Listing the files on ${names[side]}…`
    if (folders[side] === 'unlisted') return `Couldn’t list the files on ${names[side]}.`
  }
  if (Math.max(selected.local, selected.remote) > mostNamedEntries) return `${tooManySelectedText}.`
  if (selected.local === 0 && selected.remote === 0) return 'Select files or folders to copy.'
  if (between !== null) return null
  if (selected.local === 0) return `To upload, select files on ${places.local}.`
  return selected.remote === 0 ? `To download, select files on ${places.remote}.` : null
}
