import { counted } from '#domain/base/plural.ts'
import { quoteShellWord } from '#domain/base/shell-words.ts'
import { shownName } from '#domain/files/file-name.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'
import type { UploadState } from './upload-state.ts'

/** What letting go over a terminal does. @param folder where its shell is; `null` when that isn't known */
export function dropText(folder: string | null): string {
  return `Upload to ${folder === null ? 'the home folder' : shownName(folder)}`
}

export const dropMeaning = 'Slipway pastes the path when the upload is done.'

/** What a terminal says of an upload. @param names of what was dropped or chosen; @param folder `null` while the home folder is asked for */
export function uploadText(names: readonly string[], folder: string | null, state: UploadState): string {
  const to = folder === null ? 'the home folder' : shownName(folder)
  switch (state.kind) {
    case 'going':
      return `Uploading ${namesText(names)} to ${to}.${state.pastes ? ` ${dropMeaning}` : ''}`
    case 'paused':
      return `The upload of ${namesText(names)} to ${to} is paused. Select “Show files” to resume it.`
    case 'asking':
      return `Files already exist in ${to}. Select “Answer” to choose what happens to them.`
    case 'failed':
      return `Couldn’t upload ${namesText(state.names)} to ${to}. ${transferProblemText(state.problem)}`
    case 'gone':
      return ''
    case 'done':
      return doneText(to, state)
  }
}

function doneText(to: string, { names, skipped, doubt }: Extract<UploadState, { kind: 'done' }>): string {
  const left = counted(skipped, 'entry was', 'entries were')
  const reasons = skipped === 0 ? '' : ` ${left} skipped: select “Show files” for the reasons.`
  if (doubt === 'too-many-skipped')
    return `The upload to ${to} is done. ${left} skipped, so no path was pasted. Select “Show files” for the reasons.`
  if (names.length === 0) return `Nothing was uploaded to ${to}.${reasons}`
  if (doubt === 'asked')
    return `The upload to ${to} is done. Files already existed, so no path was pasted. Select “Show files” to see what’s there.${reasons}`
  return `Uploaded ${namesText(names)} to ${to}.${reasons}`
}

function namesText(names: readonly string[]): string {
  return names.length === 1 ? shownName(names[0] ?? '') : counted(names.length, 'entry', 'entries')
}

/** Why the path of what is there wasn't pasted. */
export const notPastedText = 'The terminal has changed since, so nothing was pasted.'

/**
 * Paths on the instance as they're put into a command line, each as one word, with a space behind them.
 *
 * Nobody knows which shell reads there, so it's a word for all of them: within single quotes, fish reads backslashes, and
 * csh and tcsh read exclamation marks. Names with control characters aren't uploaded.
 */
export function pathsText(folder: string, names: readonly string[]): string {
  const inside = folder.endsWith('/') ? folder : `${folder}/`
  return names.map((name) => `${quoted(inside + name)} `).join('')
}

function quoted(path: string): string {
  return path
    .split(/(['\\!])/u)
    .map((piece) => (piece === '' ? '' : /^['\\!]$/u.test(piece) ? `\\${piece}` : quoteShellWord(piece)))
    .join('')
}
