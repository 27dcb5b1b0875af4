import { assertNever } from '#domain/base/assert-never.ts'
import { shownName, type NameFault } from '#domain/files/file-name.ts'
import { counted } from '#domain/base/plural.ts'
import { serviceLine } from '#domain/rental-api/service-text.ts'
import {
  type FileEntry,
  type FilePlace,
  type FileSide,
  type SkipReason,
  type Transfer,
  type TransferOrder,
  type TransferProblem,
} from '#domain/files/transfer.ts'
import { formatBytes, formatNumber, longestDetail, withReason } from '#ui/format.ts'
import { hostKeyChangedText } from '#shared/ssh/connection-text.ts'
import { sshProblemText } from '#ui/problems/ssh-problem-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

type SideNames = Readonly<Record<FileSide, string>>

/** The two sides, inside a sentence. */
export const places: SideNames = {
  local: 'this computer',
  remote: 'the instance',
  source: 'the other instance',
}

/** What the sides of a transfer are called: between two instances, each by its id. */
export function sideNames({ source, target }: Pick<TransferOrder, 'source' | 'target'>): SideNames {
  if (source.side === 'local' || target.side === 'local') return places
  return { ...places, remote: placeName(target), source: placeName(source) }
}

/** `this computer`, `instance 12`. */
export function placeName(place: FilePlace): string {
  return place.side === 'local' ? places.local : `instance ${place.instanceId}`
}

/** Why nothing came of a drop: a picture of a web page, say, has no place on this computer. */
export const noFileDroppedText =
  'Nothing was uploaded: drop files or folders of this computer, and instead of thousands of files the folder they’re in.'

/** Why files couldn't be read or written: what happened, and what to do. */
export function transferProblemText(problem: TransferProblem, names = places): string {
  const words = problemWords(problem, names)
  const isOfOne = 'side' in problem && !('path' in problem) && !('name' in problem)
  return shownName(
    isOfOne && problem.side !== undefined ? `${capitalized(names[problem.side])}: ${words}` : words,
  )
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function problemWords(problem: TransferProblem, names: SideNames): string {
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
      return `Couldn’t write ${problem.path}: the folder is read-only on ${names[problem.side]}. Choose another folder.`
    case 'missing':
      return `${problem.path} no longer exists on ${names[problem.side]}. Refresh the folder.`
    case 'denied':
      return `No permission for ${problem.path} on ${names[problem.side]}. Choose another folder, or change its permissions.`
    case 'appeared':
      return `${problem.path} was created in the meantime and wasn’t replaced. Try again to choose what happens to it.`
    case 'bad-name':
      return `Can’t use the name “${problem.name}” on ${names[problem.side]}: ${nameFaultText[problem.fault]}. Choose another name.`
    case 'taken':
      return `“${problem.name}” already exists on ${names[problem.side]}. Nothing was changed. Choose another name.`
    case 'disk-full': {
      const free = problem.freeBytes === null ? '' : ` (${formatBytes(problem.freeBytes)} free)`
      return `The disk of ${names[problem.side]} is full${free}. Free some space, then try again.`
    }
    case 'shrunk':
      return `${problem.path} got shorter while Slipway read it. Try again when nothing writes to it.`
    case 'too-many':
      return `${problem.path} on ${names[problem.side]} has too many files to copy at once. Copy parts of it.`
    case 'failed':
      return withReason(`Couldn’t read or write ${problem.path} on ${names[problem.side]}`, problem.detail)
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
export function skipReasonText(reason: SkipReason, names = places): string {
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
      return `no permission on ${names[reason.side]}`
    case 'read-only':
      return `the folder is read-only on ${names[reason.side]}`
    case 'no-reply':
      return 'the instance didn’t respond'
    case 'disconnected':
      return 'the connection was lost'
    case 'no-match':
      return 'no file matches'
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

type Copied = Pick<Transfer['progress'], 'files' | 'filesDone' | 'bytes' | 'bytesDone'>

/** `3 of 12 files · 1.2 GB of 4 GB`. */
export function copiedText({ files, filesDone, bytes, bytesDone }: Copied): string {
  const many = `${formatNumber(filesDone)} of ${counted(files, 'file')}`
  return `${many} · ${formatBytes(bytesDone)} of ${formatBytes(bytes)}`
}
