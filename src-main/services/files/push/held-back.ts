import { basename, dirname } from 'node:path'
import type { HeldBack, ReviewAnswers } from '../../../domain/files/project.ts'
import type { PlannedFile } from '../copy-plan.ts'
import type { FileTree } from '../file-tree.ts'
import { exceptionMark } from '../gitignore-thread.ts'
import { stampOf, type Comparison, type GoneFile } from './compare-trees.ts'
import { isSame, type FileStamp } from './push-decision.ts'
import type { PushedLine } from './pushed-files.ts'

/** What a push does of a comparison. */
export interface Admitted {
  readonly files: readonly PlannedFile[]
  readonly gone: readonly GoneFile[]
  /** What stays as it is on both sides, by the user's word. */
  readonly lines: readonly PushedLine[]
}

interface Held {
  readonly why: keyof HeldBack
  /** As it was when it was held back; `null` for what was gone. */
  readonly here: FileStamp | null
}

/** More than anybody deletes without a thought. */
const mostGone = 100

/** Whether so much of what was pushed is gone that a disk, a link, or a branch may be missing instead. */
export function isManyGone(gone: number, pushed: number): boolean {
  return gone > mostGone || gone * 2 > pushed
}

/** What left files out: as `Plan.ignoring`. */
export type Ignoring = ReadonlyMap<string, string>

export function isSameIgnoring(one: Ignoring, other: Ignoring): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text)
}

/**
 * Whether files may be found now that were left out before: a .gitignore file or a pattern changed, or is missing, as it
 * is for a moment when an editor saves it; or a new one has exceptions. One that is gone with its folder left out nothing else.
 */
export async function mayUncover(
  localTree: Pick<FileTree, 'find'>,
  before: Ignoring,
  now: Ignoring,
): Promise<boolean> {
  for (const [path, text] of before) {
    if (now.get(path) === text) continue
    if (now.has(path) || (await localTree.find(dirname(path))) !== null) return true
  }
  return [...now].some(([path, text]) => !before.has(path) && text.endsWith(exceptionMark))
}

/** Of one project: what waits for the user's word, and what the last review has shown. */
export class HeldFiles {
  readonly #held = new Map<string, Held>()
  /** How files were there that a review has asked about. */
  #shown: ReadonlyMap<string, FileStamp> = new Map()
  /** How files were here that a review has shown as to be sent. */
  #shownHere: ReadonlyMap<string, FileStamp> = new Map()

  get counts(): HeldBack {
    const counts = { conflict: 0, gone: 0, uncovered: 0 }
    for (const { why } of this.#held.values()) counts[why] += 1
    return counts
  }

  /** Whether the user was told already of the file as it is here; `null` for one that is gone. */
  has(path: string, here: FileStamp | null): boolean {
    const held = this.#held.get(path)
    if (held === undefined) return false
    return held.here === null || here === null ? held.here === here : isSame(held.here, here)
  }

  /** Forgets what isn't any more as it was when it was held back. @param nowHere all that is here, and what is gone */
  keepOnly(nowHere: ReadonlyMap<string, FileStamp | null>): void {
    for (const path of this.#held.keys()) {
      const here = nowHere.get(path)
      if (here === undefined || !this.has(path, here)) this.#held.delete(path)
    }
  }

  /** What the user is shown, and may answer to. */
  show({ added, changed, conflicts, changedThere, gone }: Comparison): void {
    const asked = [...conflicts, ...changedThere]
    this.#shown = new Map([
      ...asked.flatMap(({ path, taken }) => (taken === null ? [] : [[path, taken] as const])),
      ...gone.map(({ path, there }) => [path, there] as const),
    ])
    this.#shownHere = new Map([...added, ...changed].map((file) => [file.path, stampOf(file)]))
    this.#drop('conflict')
    this.#holdFiles('conflict', conflicts)
  }

  /** The answers to the last review count for one push. */
  answered(): void {
    this.#shown = new Map()
    this.#shownHere = new Map()
  }

  /** Holds back what is gone here after all, because something else wasn't sent. */
  holdGone(gone: readonly GoneFile[]): void {
    for (const { path } of gone) this.#held.set(path, { why: 'gone', here: null })
  }

  /** Holds back a file that came or changed there just now. */
  holdConflict(file: PlannedFile): void {
    this.#holdFiles('conflict', [file])
  }

  /**
   * What the user's push does: of what changed there and of what is gone only what a review has shown, and is still so.
   *
   * @param isUncovered what the review hasn't shown may have been ignored then
   */
  admitAnswered(compared: Comparison, answers: ReviewAnswers, isUncovered: boolean): Admitted {
    const { added, changed, conflicts, changedThere, gone } = compared
    const isShown = (path: string, there: FileStamp | null): boolean => {
      const seen = this.#shown.get(path)
      return seen !== undefined && there !== null && isSame(seen, there)
    }
    const replace = new Set(answers.replace)
    const remove = new Set(answers.remove)
    const keep = new Set(answers.keep)
    const asked = [...conflicts, ...changedThere].filter(({ path, taken }) => isShown(path, taken))
    const shownGone = gone.filter(({ path, there }) => isShown(path, there))
    const replaced = asked.filter(({ path }) => replace.has(path))
    const kept = asked.filter(({ path }) => keep.has(path) && !replace.has(path))
    const left = shownGone.filter(({ path }) => keep.has(path) && !remove.has(path))
    this.#held.clear()
    const decided = new Set([...replaced, ...kept])
    this.#holdFiles(
      'conflict',
      conflicts.filter((file) => !decided.has(file)),
    )
    const isUnseen = (file: PlannedFile): boolean => {
      const seen = this.#shownHere.get(file.path)
      return seen === undefined || !isSame(seen, stampOf(file))
    }
    const waiting = isUncovered ? mayBeUncovered(added, changed).filter(isUnseen) : []
    this.#holdFiles('uncovered', waiting)
    return {
      files: [...without(waiting, added, changed), ...replaced],
      gone: shownGone.filter(({ path }) => remove.has(path)),
      lines: [
        ...kept.map((file) => ({ path: file.path, file: asKept(file) })),
        ...left.map(({ path }) => ({ path, file: null })),
      ],
    }
  }

  /**
   * What is done without a question.
   *
   * @param isUncovered files may have been ignored before that aren't any more
   * @param pushed files that were pushed and aren't forgotten
   */
  admitUnasked(compared: Comparison, isUncovered: boolean, pushed: number): Admitted {
    const { conflicts, gone, skipped } = compared
    const isOpen = (file: PlannedFile): boolean => !this.has(file.path, stampOf(file))
    const added = compared.added.filter(isOpen)
    const changed = compared.changed.filter(isOpen)
    this.#holdFiles('conflict', conflicts)
    const waiting = isUncovered ? mayBeUncovered(added, changed) : []
    this.#holdFiles('uncovered', waiting)
    const isLeftOut = skipped.some(({ reason: { kind } }) => kind !== 'link' && kind !== 'not-a-file')
    const isHeld = isLeftOut || this.#held.size > 0 || isManyGone(gone.length, pushed)
    if (isHeld) this.holdGone(gone)
    return {
      files: without(waiting, added, changed),
      gone: isHeld ? [] : gone,
      lines: [],
    }
  }

  #holdFiles(why: keyof HeldBack, files: readonly PlannedFile[]): void {
    for (const file of files) this.#held.set(file.path, { why, here: stampOf(file) })
  }

  #drop(why: keyof HeldBack): void {
    for (const [path, held] of this.#held) if (held.why === why) this.#held.delete(path)
  }
}

/** A file that was pushed may have been ignored since; a .gitignore file that was is no secret. */
function mayBeUncovered(
  added: readonly PlannedFile[],
  changed: readonly PlannedFile[],
): readonly PlannedFile[] {
  return [...added, ...changed.filter(({ path }) => basename(path) !== '.gitignore')]
}

function without(
  waiting: readonly PlannedFile[],
  ...files: readonly (readonly PlannedFile[])[]
): readonly PlannedFile[] {
  const isWaiting = new Set(waiting)
  return files.flat().filter((file) => !isWaiting.has(file))
}

function asKept(file: PlannedFile): PushedLine['file'] {
  if (file.taken === null) return null
  const { size, modifiedAt } = file.taken
  return { here: stampOf(file), there: { size, modifiedAt }, how: 'kept' }
}
