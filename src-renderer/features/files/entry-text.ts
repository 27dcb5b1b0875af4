import { counted } from '#domain/base/plural.ts'
import type { FolderSize, FolderSizeOutcome } from '#domain/files/file-change.ts'
import type { FileEntry } from '#domain/files/transfer.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'
import { formatBytes, formatExact } from '#ui/format.ts'

/** Of a folder whose size was asked for. */
export type SizeState =
  { readonly kind: 'counting' } | Exclude<FolderSizeOutcome, { readonly kind: 'stopped' }>

const letters = ['r', 'w', 'x']
/** Where set-user-ID, set-group-ID, and sticky stand, and as what. */
const specials = [
  { bit: 0o4000, at: 2, letter: 's' },
  { bit: 0o2000, at: 5, letter: 's' },
  { bit: 0o1000, at: 8, letter: 't' },
]

/** Permissions as `ls -l` writes them: `rwxr-xr-x`, `rwxrwxrwt`; empty where there are none. */
export function modeText({ mode, special = 0 }: Pick<FileEntry, 'mode' | 'special'>): string {
  if (mode === null) return ''
  const text = Array.from({ length: 9 }, (_, at) => (mode & (0o400 >> at) ? (letters[at % 3] ?? '') : '-'))
  for (const { bit, at, letter } of specials)
    if (special & bit) text[at] = text[at] === 'x' ? letter : letter.toUpperCase()
  return text.join('')
}

/** The same as chmod takes it: `0755`. */
export function octalMode({ mode, special = 0 }: Pick<FileEntry, 'mode' | 'special'>): string {
  return mode === null ? '' : ((mode & 0o777) | (special & 0o7000)).toString(8).padStart(4, '0')
}

/** When it changed, to the minute: `2026-11-03 14:05`. */
export function changedText(at: number | null): string {
  return formatExact(at).replace(/:\d\d UTC.*$/, '')
}

/** The size of a file, or of a folder that was counted; empty for what has none. */
export function sizeText({ kind, size }: FileEntry, state: SizeState | undefined): string {
  if (kind !== 'folder') return kind === 'file' ? formatBytes(size) : ''
  switch (state?.kind) {
    case undefined:
      return ''
    case 'counting':
      return 'Counting…'
    case 'failed':
      return 'Failed'
    case 'counted':
      return `${isLeast(state.size) ? '≥ ' : ''}${formatBytes(state.size.bytes)}`
  }
}

/** What the size of a folder is made of, or why it isn't known; `null` when there's nothing to say. */
export function sizeDetail(state: SizeState | undefined): string | null {
  if (state === undefined || state.kind === 'counting') return null
  if (state.kind === 'failed') return transferProblemText(state.problem)
  const { bytes, files, folders, unread, cutShort } = state.size
  const parts = [
    `${isLeast(state.size) ? 'At least ' : ''}${formatBytes(bytes)} in ${counted(files, 'file')} and ${counted(folders, 'folder')}.`,
  ]
  if (unread > 0) parts.push(`${counted(unread, 'folder')} couldn’t be read.`)
  if (cutShort === 'too-many') parts.push('There are more than Slipway counts.')
  if (cutShort === 'too-long') parts.push('Counting the rest takes too long.')
  return parts.join(' ')
}

function isLeast({ unread, cutShort }: FolderSize): boolean {
  return unread > 0 || cutShort !== null
}
