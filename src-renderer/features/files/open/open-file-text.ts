import { assertNever } from '#domain/base/assert-never.ts'
import { shownName } from '#domain/files/file-name.ts'
import {
  longestPicture,
  longestText,
  mostPixels,
  type InPlaceReason,
  type OpenOutcome,
  type ReadOnlyReason,
  type Refusal,
  type SaveOutcome,
  type Theirs,
} from '#domain/files/opened-file.ts'
import type { TransferProblem } from '#domain/files/transfer.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'
import { formatBytes, formatNumber } from '#ui/format.ts'

/** Why a file isn't shown, and what to do instead. */
export function refusalText(why: Refusal): { readonly title: string; readonly text: string } {
  switch (why) {
    case 'folder':
      return { title: 'This is a folder', text: 'Go back to Files to see what’s in it.' }
    case 'not-a-file':
      return {
        title: 'Not a regular file',
        text: 'Slipway opens regular files only, not pipes, sockets, or devices.',
      }
    case 'binary':
      return {
        title: 'Not a text file',
        text: 'Slipway shows text and PNG, JPEG, and WebP pictures. To use this file, download it from Files.',
      }
    case 'not-utf8':
      return {
        title: 'Not UTF-8 text',
        text: 'Slipway edits UTF-8 only, so that saving can’t damage text in another encoding. Download the file, or convert it on the instance with iconv.',
      }
    case 'large-picture':
      return {
        title: 'Picture too large to show',
        text: `Slipway shows pictures of up to ${formatBytes(longestPicture)} and ${formatNumber(mostPixels / 1_000_000)} megapixels. To see this picture, download it from Files.`,
      }
    case 'broken-picture':
      return {
        title: 'Couldn’t read the picture',
        text: 'Its header makes no sense, so the file may be incomplete. Check on the instance whether it’s still being written.',
      }
    default:
      return assertNever(why)
  }
}

/** Why a file can't be edited. */
export function readOnlyText(reason: ReadOnlyReason): string {
  switch (reason) {
    case 'denied':
      return 'Read-only: your SSH user isn’t allowed to change this file.'
    case 'read-only':
      return 'Read-only: the disk can’t be written to.'
    case 'failed':
      return 'Read-only: the instance didn’t let Slipway open this file for writing. A running program may be using it.'
    default:
      return assertNever(reason)
  }
}

const tooLongText = `The text is over ${formatBytes(longestText)}. Shorten it, then save again.`

/** Why unsaved text isn't kept on this computer. */
export const notKeptTexts = {
  'no-room':
    'Slipway has no more room for unsaved text, so these changes are lost when you leave this page. Save this file or others first.',
  'too-long': `The text is over ${formatBytes(longestText)}, so these changes are lost when you leave this page. Shorten the text, then save it.`,
} as const

export const restoredText = 'These are your unsaved changes from before.'

export const longLogText = `Over ${formatBytes(longestText)}, so this file opens as a log: read-only, piece by piece.`

/** Why only the unsaved text of a file is shown; `null` where the file is text itself. */
export function onlyUnsavedText(opened: OpenOutcome): string | null {
  switch (opened.kind) {
    case 'text':
      return null
    case 'failed':
      return `Couldn’t open the file. ${transferProblemText(opened.problem)}`
    case 'refused':
      return `The file can’t be edited any more. ${refusalText(opened.why).title}.`
    case 'log':
      return `The file can’t be edited any more. It’s over ${formatBytes(longestText)} now.`
    case 'picture':
      return 'The file can’t be edited any more. It’s a picture now.'
    default:
      return assertNever(opened)
  }
}

/** What became of a file that was to be saved. */
export function conflictText(
  { version, text }: Theirs,
  isIncomplete: boolean,
): { readonly title: string; readonly text: string } {
  if (version === null)
    return {
      title: 'File was deleted on the instance',
      text: 'Someone deleted or moved this file after you opened it. Nothing was saved yet. Your text is still here.',
    }
  if (isIncomplete)
    return {
      title: 'File may be incomplete',
      text: 'The last save broke off while Slipway wrote into this file. Overwrite the file to save your text.',
    }
  const because =
    text === null ? ' The new version is too long or isn’t UTF-8 text, so Slipway can’t show it.' : ''
  return {
    title: 'File changed on the instance',
    text: `Someone changed this file after you opened it. Nothing was saved yet.${because}`,
  }
}

/** Why a file can't be replaced in one step, and what writing into it risks. */
export function inPlaceText(why: InPlaceReason): string {
  const risk =
    'Slipway can write into the existing file instead. If the connection drops while saving, the file can be left incomplete. Your text stays here until it’s saved.'
  switch (why) {
    case 'owner':
      return `The file belongs to another user. A new version would belong to you, which can lock out the programs that use it. ${risk}`
    case 'folder':
      return `The folder doesn’t let Slipway replace the file with a new version. ${risk}`
    default:
      return assertNever(why)
  }
}

/** Why a save failed, and what it left on the instance. */
function saveFailureText({
  problem,
  left,
  isIncomplete,
}: Extract<SaveOutcome, { readonly kind: 'failed' }>): string {
  return [
    saveProblemText(problem),
    ...(isIncomplete ? ['The file on the instance may be incomplete. Save again to complete it.'] : []),
    ...(left === null
      ? []
      : [`An incomplete copy is at ${shownName(left)}. Slipway removes it when you save again.`]),
  ].join(' ')
}

function saveProblemText(problem: TransferProblem): string {
  if (problem.kind !== 'appeared') return transferProblemText(problem)
  return `Something else is at ${shownName(problem.path)} now, such as a folder or a link. Slipway didn’t replace it. Move or rename it on the instance, then save again.`
}

/** Why a save came to nothing, for who has left the page; `null` when it's saved. */
export function unsavedReason(outcome: SaveOutcome): string | null {
  switch (outcome.kind) {
    case 'saved':
      return null
    case 'changed':
      return `${conflictText(outcome.theirs, outcome.isIncomplete).title}.`
    case 'asks-in-place':
      return inPlaceText(outcome.why)
    case 'too-long':
      return tooLongText
    case 'failed':
      return saveFailureText(outcome)
    default:
      return assertNever(outcome)
  }
}
