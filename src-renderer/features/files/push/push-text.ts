import { assertNever } from '#domain/base/assert-never.ts'
import { counted, plural } from '#domain/base/plural.ts'
import { shownName } from '#domain/files/file-name.ts'
import {
  mostDifferences,
  type DifferenceKind,
  type HeldBack,
  type Project,
  type ProjectState,
  type ReviewOutcome,
  type WatchFault,
} from '#domain/files/project.ts'
import type { TransferProblem } from '#domain/files/transfer.ts'
import type { ConnectionState } from '#domain/ssh/ssh-connection.ts'
import { reconnectingMark, waitingMark } from '#shared/ssh/connection-text.ts'
import { formatBytes, formatNumber } from '#ui/format.ts'
import type { Mark } from '#ui/tone.ts'
import { transferProblemText } from '#shared/files/transfer-text.ts'

export type Review = Extract<ReviewOutcome, { kind: 'reviewed' }>

/** A project's state, in a few words with their tone. */
export function projectMark(
  { project, phase, last, heldBack }: ProjectState,
  connection: ConnectionState,
): Mark {
  switch (phase.kind) {
    case 'waiting':
      return { tone: 'neutral', label: 'Waiting until the instance runs' }
    case 'connecting':
      return waitingMark(connection)
    case 'reconnecting':
      return waitingMark(connection, reconnectingMark)
    case 'looking':
      return { tone: 'busy', label: `Comparing: ${counted(phase.files, 'file')}` }
    case 'pushing':
      return { tone: 'busy', label: 'Pushing…' }
    case 'failed':
      return { tone: 'bad', label: 'Push failed' }
    case 'idle':
      if (heldCount(heldBack) > 0)
        return { tone: 'warning', label: `${counted(heldCount(heldBack), 'file')} held back` }
      if (isUnreviewed(project)) return { tone: 'warning', label: 'Needs your review' }
      if (last !== null) return { tone: 'good', label: pushedLabel(last) }
      return { tone: 'neutral', label: project.pushOnSave ? 'Pushes on save' : 'Not pushed in this session' }
    default:
      return assertNever(phase)
  }
}

function pushedLabel({ files, removed }: NonNullable<ProjectState['last']>): string {
  if (files === 0 && removed === 0) return 'Up to date'
  const parts = [
    files > 0 ? `Pushed ${counted(files, 'file')}` : null,
    removed > 0 ? `deleted ${counted(removed, 'file')}` : null,
  ]
  const label = parts.filter((part) => part !== null).join(', ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** `3 of 12 files · 1.2 of 4 GB` */
export function pushProgressText({ phase }: ProjectState): string | null {
  if (phase.kind !== 'pushing') return null
  const files = `${formatNumber(phase.filesDone)} of ${counted(phase.files, 'file')}`
  return `${files} · ${formatBytes(phase.bytesDone)} of ${formatBytes(phase.bytes)}`
}

/** Why a push failed: what happened, and what to do. */
export function pushProblemText(problem: TransferProblem): string {
  if (problem.kind !== 'missing' || problem.side !== 'local') return transferProblemText(problem)
  return `${shownName(problem.path)} no longer exists on this computer. Restore it, or select “Edit…” in the project’s menu to choose another folder. Nothing was deleted on the instance.`
}

/** All files that wait for the user's word. */
export function heldCount({ conflict, gone, uncovered }: HeldBack): number {
  return conflict + gone + uncovered
}

/** Whether push on save waits for the first push, or for one after deletes were switched on. */
export function isUnreviewed({
  pushOnSave,
  isReviewed,
}: Pick<Project, 'pushOnSave' | 'isReviewed'>): boolean {
  return pushOnSave && !isReviewed
}

export const unreviewedText =
  'Push on save starts after you push once. Select “Push…” to see what Slipway sends or deletes.'

/** What the files held back mean, and what to do. */
export function heldBackText({ conflict, gone, uncovered }: HeldBack): readonly string[] {
  const those = (count: number): string => plural(count, 'it', 'them')
  return [
    ...(conflict === 0
      ? []
      : [
          `${counted(conflict, 'file')} changed on the instance since the last push, so Slipway didn’t replace ${those(conflict)}.`,
        ]),
    ...(gone === 0
      ? []
      : [
          `${counted(gone, 'file')} ${plural(gone, 'is', 'are')} gone here. Slipway didn’t delete ${those(gone)} on the instance, because so many are gone at once or other files are missing there.`,
        ]),
    ...(uncovered === 0
      ? []
      : [
          `A .gitignore file or a pattern changed, so Slipway didn’t send ${counted(uncovered, 'file')} that it may have skipped before.`,
        ]),
  ]
}

const watchFaults: Readonly<Record<WatchFault, string>> = {
  'too-many-folders': 'The folder has more than 5,000 folders',
  'system-limit': 'This computer’s limit on watched folders is reached',
  failed: 'This computer can’t watch all of the folder',
}

/** Why not all is pushed on save, and what to do. */
export function watchFaultText(fault: WatchFault): string {
  return `${watchFaults[fault]}, so some changes are pushed up to a minute later. Exclude folders you don’t need on the instance.`
}

/** How a file differs, in the review. @param removeGone whether what is gone here is deleted there */
export function differenceText(kind: DifferenceKind, removeGone: boolean): string {
  switch (kind) {
    case 'new':
      return 'New'
    case 'changed':
      return 'Changed'
    case 'gone':
      return removeGone ? 'Deleted on the instance' : 'Gone here, kept on the instance'
    case 'conflict':
      return 'Changed on the instance, too'
    case 'changed-there':
      return 'Changed only on the instance'
    default:
      return assertNever(kind)
  }
}

/** `Push 12 new files and 1 changed file (3.4 MB), create 2 folders, delete 1 file.` */
export function reviewSummary({ counts, folders }: Review, replaced: number, removed: number): string {
  const bytes = formatBytes(counts.new.bytes + counts.changed.bytes)
  const some = (count: number, what: string): string[] => (count === 0 ? [] : [counted(count, what)])
  const pushed = [...some(counts.new.files, 'new file'), ...some(counts.changed.files, 'changed file')]
  const parts = [
    ...(pushed.length === 0 ? [] : [`push ${pushed.join(' and ')} (${bytes})`]),
    ...some(replaced, 'file').map((files) => `replace ${files}`),
    ...some(folders, 'folder').map((made) => `create ${made}`),
    ...some(removed, 'file').map((gone) => `delete ${gone}`),
  ]
  const summary = parts.join(', ')
  return parts.length === 0 ? 'Nothing to push.' : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}

/** Files that the user has to decide about. */
export function askedCount({ counts }: Review): number {
  return counts.conflict.files + counts['changed-there'].files
}

export function askedText(count: number): string {
  return `${counted(count, 'file')} changed on the instance since the last push, or ${plural(count, 'was', 'were')} there before. Select the files to replace. Slipway keeps the others as they are and asks again when they change.`
}

/** Why files that are gone here aren't deleted without a thought. */
export const manyGoneText =
  'Most of the pushed files are gone here. If a disk or a folder is missing, restore it before you delete them on the instance.'

/** @param named of all `count` files */
export function removeText(named: number, count: number): string {
  const which = named < count ? `the first ${formatNumber(named)} of ` : ''
  return `Delete ${which}${counted(count, 'file')} on the instance`
}

export function keepGoneText(named: number): string {
  const [files, them] = named === 1 ? ['the file', 'it'] : ['the files', 'them']
  return `Clear this to keep ${files} on the instance. Slipway then stops tracking ${them}.`
}

/** Differences that the list doesn't name. */
export function unnamedText({ counts }: Review): string | null {
  const all = Object.values(counts).reduce((sum, { files }) => sum + files, 0)
  if (all <= mostDifferences) return null
  return `The list shows the first ${formatNumber(mostDifferences)} of ${counted(all, 'file')}. Files to decide about come first.`
}

export function skippedText(count: number): string {
  return `${counted(count, 'entry is', 'entries are')} skipped: links, special files, or names the instance can’t use.`
}

export const upToDateText = 'Nothing to push. The folder on the instance has all of it.'

/** The name of a project: its folder here. */
export function projectName(local: string): string {
  const parts = local.split(/[/\\]/).filter((part) => part !== '')
  return shownName(parts.at(-1) ?? local)
}

/** Where a folder goes unless the user says otherwise. */
export function defaultTarget(local: string): string {
  const name = local.split(/[/\\]/).findLast((part) => part !== '')
  return name === undefined ? '~/' : `~/${name}`
}

/** One pattern a line. */
export function patternsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export const shellFolderText =
  'Couldn’t open a terminal there: shells can’t be told to begin in a folder with this name. Open a terminal and enter it with cd.'
