import { assertNever } from '#domain/base/assert-never.ts'
import { shownName, type NameFault } from '#domain/files/file-name.ts'
import { counted } from '#domain/base/plural.ts'
import { serviceLine } from '#domain/rental-api/service-text.ts'
import type { FileEntry, FileSide, SkipReason, Transfer, TransferProblem } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatBytes, formatNumber, formatSeconds, longestDetail, withReason } from '#ui/format.ts'
import { hostKeyChangedText, reconnectingMark, waitingMark } from '#shared/ssh/connection-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import type { Tone } from '#ui/tone.ts'

/** The two sides, inside a sentence. */
export const places: Readonly<Record<FileSide, string>> = { local: 'this computer', remote: 'the instance' }

/** Why files couldn't be read or written: what happened, and what to do. */
export function transferProblemText(problem: TransferProblem): string {
  return shownName(problemWords(problem))
}

function problemWords(problem: TransferProblem): string {
  switch (problem.kind) {
    case 'connection':
      return sentences(sshProblemText(problem.problem))
    case 'host-key-changed':
      return sentences(hostKeyChangedText({}, 'try again'))
    case 'silent':
      return 'The file server on the instance isn’t responding. You’re connected, so the instance may be overloaded, or its disk may be stuck. You’re still charged. Try again, or check the instance in a terminal.'
    case 'not-started':
      return 'The file server on the instance hasn’t started. You’re connected, so the instance may be overloaded, or a startup file such as ~/.bashrc is slow. You’re still charged. Try again, or open a terminal to see how long a login takes.'
    case 'no-files':
      return `Couldn’t open files on this instance. ${noFilesWords(problem)}`
    case 'slow-gitignore':
      return `Couldn’t read ${problem.path} in time, so nothing was uploaded. Simplify its patterns, or clear “Skip files ignored by .gitignore” and upload again.`
    case 'read-only':
      return `Couldn’t write ${problem.path}: the folder is read-only on ${places[problem.side]}. Choose another folder.`
    case 'missing':
      return `${problem.path} no longer exists on ${places[problem.side]}. Refresh the folder.`
    case 'denied':
      return `No permission for ${problem.path} on ${places[problem.side]}. Choose another folder, or change its permissions.`
    case 'appeared':
      return `${problem.path} was created in the meantime and wasn’t replaced. Try again to choose what happens to it.`
    case 'bad-name':
      return `Can’t use the name “${problem.name}” on ${places[problem.side]}: ${nameFaultText[problem.fault]}. Choose another name.`
    case 'taken':
      return `“${problem.name}” already exists on ${places[problem.side]}. Nothing was changed. Choose another name.`
    case 'disk-full': {
      const free = problem.freeBytes === null ? '' : ` (${formatBytes(problem.freeBytes)} free)`
      return `The disk of ${places[problem.side]} is full${free}. Free some space, then try again.`
    }
    case 'shrunk':
      return `${problem.path} got shorter while Slipway read it. Try again when nothing writes to it.`
    case 'too-many':
      return `${problem.path} on ${places[problem.side]} has too many files to copy at once. Copy parts of it.`
    case 'failed':
      return withReason(`Couldn’t read or write ${problem.path} on ${places[problem.side]}`, problem.detail)
    default:
      return assertNever(problem)
  }
}

const nameFaultText: Readonly<Record<NameFault, string>> = {
  empty: 'the name is empty',
  dots: 'the name leads to another folder',
  path: 'the name is a path',
  'control-characters': 'the name has control characters',
  'not-utf8': 'the name isn’t UTF-8',
  'not-unicode': 'the name isn’t Unicode',
  'too-long': 'the name is too long',
  'windows-characters': 'Windows doesn’t allow the name',
  'windows-ending': 'Windows would change the name',
  'windows-device': 'Windows uses the name for a device',
}

/** Why an entry was skipped, as the end of a sentence. */
export function skipReasonText(reason: SkipReason): string {
  switch (reason.kind) {
    case 'bad-name':
      return nameFaultText[reason.fault]
    case 'link':
      return 'links aren’t copied'
    case 'not-a-file':
      return 'not a regular file'
    case 'same-name':
      return 'another entry has the same name'
    case 'other-kind':
      return `${otherKinds[reason.taken]} has the same name`
    case 'path-too-long':
      return 'the path is too long'
    case 'missing':
      return 'no longer exists'
    case 'appeared':
    case 'taken':
      return 'the name is taken'
    case 'shrunk':
      return 'got shorter while Slipway read it'
    case 'disk-full':
      return 'the disk is full'
    case 'too-many':
      return 'too many files'
    case 'slow-gitignore':
      return 'a .gitignore takes too long'
    case 'denied':
      return `no permission on ${places[reason.side]}`
    case 'read-only':
      return `the folder is read-only on ${places[reason.side]}`
    case 'no-reply':
      return 'the instance didn’t respond'
    case 'disconnected':
      return 'the connection was lost'
    case 'failed':
      return shownName(reason.detail)
    default:
      return assertNever(reason)
  }
}

const otherKinds: Readonly<Record<FileEntry['kind'], string>> = {
  file: 'a file',
  folder: 'a folder',
  link: 'a link',
  other: 'something else',
}

function sentences({ title, nextStep }: ProblemText): string {
  return `${title}. ${nextStep}`
}

/** Why the file server doesn't work although you're connected, and what to do. */
function noFilesWords({ why, detail }: Extract<TransferProblem, { kind: 'no-files' }>): string {
  switch (why) {
    case 'session-refused':
      return `Its SSH server refused another session${saidWords(detail)}, and may limit them (MaxSessions). You’re still charged. Close a terminal of this instance, then try again.`
    case 'no-sftp':
      return 'Its SSH server has no SFTP. You’re still charged. Use an image with an SFTP server, or copy files in a terminal.'
    case 'ended':
      return `Its file server ended at once${detail === '' ? '' : ` (${detail})`}. This user may not be allowed to log in to a shell. You’re still charged. Check the SSH user in Settings > SSH login, or use another image.`
    case 'garbled':
      return 'Text arrived instead of the file server’s reply. You’re still charged. If ~/.bashrc prints text, limit that to terminals, then try again.'
    default:
      return assertNever(why)
  }
}

/** The host's own words, marked as such. */
function saidWords(detail: string): string {
  const words = serviceLine(detail, longestDetail)
  return words === '' ? '' : ` (it said “${words}”)`
}

/** `model.bin`, `model.bin and 3 more`. */
export function transferName({ order: { names } }: Transfer): string {
  const first = shownName(names[0] ?? '')
  return names.length <= 1 ? first : `${first} and ${formatNumber(names.length - 1)} more`
}

/** A transfer's state, in a few words with their tone. */
export function transferMark(
  { phase, skippedCount }: Transfer,
  connection: ConnectionState,
): { readonly tone: Tone; readonly label: string } {
  switch (phase.kind) {
    case 'waiting':
      return { tone: 'neutral', label: 'Waiting' }
    case 'connecting':
      return waitingMark(connection)
    case 'reconnecting':
      return waitingMark(connection, reconnectingMark)
    case 'looking':
      return { tone: 'busy', label: `Scanning: ${counted(phase.files, 'file')}` }
    case 'asking':
      return { tone: 'warning', label: 'Needs an answer' }
    case 'copying':
      return { tone: 'busy', label: 'Copying' }
    case 'done':
      return skippedCount === 0
        ? { tone: 'good', label: 'Done' }
        : { tone: 'warning', label: `Done, ${formatNumber(skippedCount)} skipped` }
    case 'failed':
      return { tone: 'bad', label: 'Failed' }
    case 'cancelled':
      return { tone: 'neutral', label: 'Canceled' }
    default:
      return assertNever(phase)
  }
}

/** `3 of 12 files · 1.2 of 4 GB · 85 MB/s · 33 s left`; without a speed while nothing moves. */
export function progressText({ phase, progress }: Transfer): string {
  const { files, filesDone, bytes, bytesDone, bytesPerSecond, remainingSeconds } = progress
  const parts = [
    `${formatNumber(filesDone)} of ${counted(files, 'file')}`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytes)}`,
  ]
  if (phase.kind !== 'copying' || bytesPerSecond === null) return parts.join(' · ')
  if (bytesPerSecond === 0) return [...parts, 'stalled'].join(' · ')
  parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (remainingSeconds !== null) parts.push(`${formatSeconds(remainingSeconds)} left`)
  return parts.join(' · ')
}
