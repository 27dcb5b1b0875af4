import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import { longestCopy, mostCopies, type CopyState, type OwnEditorOutcome } from '#domain/files/edited-copy.ts'
import { shownName } from '#domain/files/file-name.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'
import { formatBytes } from '#ui/format.ts'
import type { Tone } from '#ui/tone.ts'
import { refusalText } from './open-file-text.ts'

/** How a copy stands, in a word or two. */
export function copyMark(state: CopyState): { readonly tone: Tone; readonly label: string } {
  switch (state.kind) {
    case 'same':
      return state.uploadedAt === null
        ? { tone: 'neutral', label: 'Watching for saves' }
        : { tone: 'good', label: 'Uploaded' }
    case 'uploading':
      return { tone: 'busy', label: 'Uploading' }
    case 'waiting':
      return { tone: 'warning', label: 'Waiting for a connection' }
    case 'changed':
      return { tone: 'warning', label: 'Changed on the instance' }
    case 'asks-in-place':
      return { tone: 'warning', label: 'Needs an answer' }
    case 'failed':
      return { tone: 'bad', label: 'Not uploaded' }
    case 'too-long':
      return { tone: 'bad', label: 'Too large' }
    case 'missing':
      return { tone: 'bad', label: 'Copy is missing' }
    default:
      return assertNever(state)
  }
}

/** Why a copy isn't uploaded, and what to do; `null` where the mark says it all. */
export function copyTrouble(state: CopyState): string | null {
  switch (state.kind) {
    case 'waiting':
      return state.problem === null
        ? 'Your changes are stored on this computer. Slipway uploads them when you’re connected to the instance.'
        : `Your changes are stored on this computer, and Slipway uploads them when you’re connected again. ${transferProblemText(state.problem)}`
    case 'failed':
      return `Your changes are stored on this computer. ${transferProblemText(state.problem)}`
    case 'too-long':
      return `The copy is over ${formatBytes(longestCopy)}, so it isn’t uploaded. Make it smaller, then save again.`
    case 'missing':
      return 'The copy on this computer was deleted or moved. Open the file again to get a new copy.'
    case 'changed':
      return 'Someone changed this file after you opened it. Nothing was uploaded yet. Choose which version to keep.'
    case 'same':
    case 'uploading':
    case 'asks-in-place':
      return null
    default:
      return assertNever(state)
  }
}

/** What is left of a copy whose instance is gone, and what to do; `null` where nothing is lost. */
export function goneTrouble(state: CopyState): string | null {
  switch (state.kind) {
    case 'same':
      return null
    case 'missing':
      return 'The instance is gone, and so is the copy on this computer. Select Stop to remove it from this list.'
    default:
      return 'The instance is gone. Your changes are stored on this computer. Show the copy to save it elsewhere.'
  }
}

/** Why a file wasn't opened in the user's own program; `null` where it was, or where a program is to be chosen. */
export function ownEditorTrouble(outcome: OwnEditorOutcome): string | null {
  switch (outcome.kind) {
    case 'opened':
    case 'no-editor':
    case 'stopped':
      return null
    case 'not-started':
      return `${shownName(outcome.program)} couldn’t be started. Choose another program in Settings > Files.`
    case 'refused':
      return outcome.why === 'too-long'
        ? `The file is over ${formatBytes(longestCopy)}. To edit it, download it from Files.`
        : `${refusalText(outcome.why).title}. ${refusalText(outcome.why).text}`
    case 'too-many':
      return `${mostCopies} files are open in your editor already. On the Files page of ${instancesText(outcome.instanceIds)}, press Stop for a file that you don’t need.`
    case 'failed':
      return transferProblemText(outcome.problem)
    default:
      return assertNever(outcome)
  }
}

/** So many instances are named; the rest are counted. */
const mostNamed = 5

function instancesText(ids: readonly number[]): string {
  const [named, more] = [ids.slice(0, mostNamed).map(String), ids.length - mostNamed]
  const all = new Intl.ListFormat('en', { type: 'disjunction' }).format(
    more > 0 ? [...named, counted(more, 'other instance')] : named,
  )
  return `instance ${all}`
}

export const ownEditorText = {
  choose:
    'Choose a program with a window of its own, such as a code editor. Slipway gives it a copy of the file on this computer, and uploads the copy each time you save it.',
  chosen: 'Slipway uploads the copy each time you save it.',
  others: (folder: string): string =>
    `Your editor saved other files beside the copy. They’re in ${shownName(folder)}. Move the files that you need: Slipway deletes the folder when it starts, once nothing in it has changed for 30 days.`,
  lose: (name: string): string =>
    `Your last changes to ${name} weren’t uploaded. If you stop now, they’re deleted from this computer. You can’t undo this.`,
} as const
