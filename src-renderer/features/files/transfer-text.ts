import { assertNever } from '#domain/base/assert-never.ts'
import { shownName } from '#domain/files/file-name.ts'
import { counted } from '#domain/base/plural.ts'
import { serviceLine } from '#domain/rental-api/service-text.ts'
import type { FileSide, Transfer, TransferProblem } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { formatBytes, formatNumber, formatSeconds, longestDetail, withReason } from '#ui/format.ts'
import { hostKeyChangedText, waitingMark } from '#shared/ssh/connection-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'
import type { Tone } from '#ui/tone.ts'

const places: Readonly<Record<FileSide, string>> = { local: 'this computer', remote: 'the instance' }

/** What stands against files being read or written: what happened, and what can be done. */
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
      return 'The instance’s file server does not answer. The connection stands, so the instance may be overloaded, or its disk may hang; it is charged meanwhile. Try again: Slipway asks it anew. If it stays, look at the instance in a terminal.'
    case 'not-started':
      return 'The file server on the instance hasn’t started. You’re connected, so the instance may be overloaded, or a startup file such as ~/.bashrc is slow. You’re still charged. Try again, or open a terminal to see how long a login takes.'
    case 'no-files':
      return `Couldn’t open files on this instance. ${noFilesWords(problem)}`
    case 'slow-gitignore':
      return `Couldn’t read ${problem.path} in time, so nothing was uploaded. Simplify its patterns, or clear “Uploads leave out what .gitignore files name” and upload again.`
    case 'read-only':
      return `Couldn’t write ${problem.path}: the folder is read-only on ${places[problem.side]}. Choose another folder.`
    case 'missing':
      return `${problem.path} is not there any more on ${places[problem.side]}.`
    case 'denied':
      return `${problem.path}: ${places[problem.side]} does not allow it.`
    case 'appeared':
      return `${problem.path} was put there meanwhile. It was not replaced.`
    case 'bad-name':
      return `Nothing can be called “${problem.name}” on ${places[problem.side]}: ${problem.why}.`
    case 'taken':
      return `“${problem.name}” is there already on ${places[problem.side]}. Nothing was changed.`
    case 'disk-full': {
      const free = problem.freeBytes === null ? '' : ` (${formatBytes(problem.freeBytes)} free)`
      return `The disk of ${places[problem.side]} is full${free}. Make room, then try again.`
    }
    case 'shrunk':
      return `${problem.path} became shorter while it was read.`
    case 'too-many':
      return `${problem.path} on ${places[problem.side]} has more in it than can be copied at once. Choose parts of it.`
    case 'failed':
      return withReason(`${problem.path} on ${places[problem.side]}`, problem.detail)
    default:
      return assertNever(problem)
  }
}

function sentences({ title, nextStep }: ProblemText): string {
  return `${title}. ${nextStep}`
}

/** Why no file server comes of a connection that stands, and what to do. */
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

/** The host's own words, which must not read as Slipway's. */
function saidWords(detail: string): string {
  const words = serviceLine(detail, longestDetail)
  return words === '' ? '' : ` (it said “${words}”)`
}

/** `model.bin`, `model.bin and 3 more`. */
export function transferName({ order: { names } }: Transfer): string {
  const first = shownName(names[0] ?? '')
  return names.length <= 1 ? first : `${first} and ${formatNumber(names.length - 1)} more`
}

/** Where a transfer stands, in a few words with their tone. */
export function transferMark(
  { phase, skippedCount }: Transfer,
  connection: ConnectionState,
): { readonly tone: Tone; readonly label: string } {
  switch (phase.kind) {
    case 'waiting':
      return { tone: 'neutral', label: 'Waits its turn' }
    case 'connecting':
      return waitingMark(connection)
    case 'looking':
      return { tone: 'busy', label: `Looking: ${counted(phase.files, 'file')}` }
    case 'asking':
      return { tone: 'warning', label: 'Needs your answer' }
    case 'copying':
      return { tone: 'busy', label: 'Copying' }
    case 'done':
      return skippedCount === 0
        ? { tone: 'good', label: 'Done' }
        : { tone: 'warning', label: `Done, ${formatNumber(skippedCount)} left out` }
    case 'failed':
      return { tone: 'bad', label: 'Failed' }
    case 'cancelled':
      return { tone: 'neutral', label: 'Cancelled' }
    default:
      return assertNever(phase)
  }
}

/** `3 of 12 files · 1.2 of 4 GB · 85 MB/s · 33 s left`; a link that stalls is said to. */
export function progressText({ phase, progress }: Transfer): string {
  const { files, filesDone, bytes, bytesDone, bytesPerSecond, remainingSeconds } = progress
  const parts = [
    `${formatNumber(filesDone)} of ${counted(files, 'file')}`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytes)}`,
  ]
  if (phase.kind !== 'copying' || bytesPerSecond === null) return parts.join(' · ')
  if (bytesPerSecond === 0) return [...parts, 'nothing has moved for some seconds'].join(' · ')
  parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (remainingSeconds !== null) parts.push(`${formatSeconds(remainingSeconds)} left`)
  return parts.join(' · ')
}
