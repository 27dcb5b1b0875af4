import {
  mostDifferences,
  type Difference,
  type DifferenceKind,
  type ReviewOutcome,
} from '../../../domain/files/project.ts'
import type { PlannedFile } from '../copy-plan.ts'
import type { Comparison } from './compare-trees.ts'
import { isManyGone } from './held-back.ts'

/**
 * What the window shows of a comparison: what has to be decided comes first.
 *
 * @param pushed files that were pushed and aren't forgotten
 */
export function reviewOf(compared: Comparison, pushed: number): Extract<ReviewOutcome, { kind: 'reviewed' }> {
  const { conflicts, changedThere, added, changed, gone, folders, skipped } = compared
  const of = (kind: DifferenceKind, files: readonly PlannedFile[]): readonly Difference[] =>
    files.map(({ path, size, taken }) => ({ kind, path, size, sizeThere: taken?.size ?? null }))
  const all = {
    conflict: of('conflict', conflicts),
    'changed-there': of('changed-there', changedThere),
    gone: gone.map(({ path, there: { size } }): Difference => ({
      kind: 'gone',
      path,
      size,
      sizeThere: size,
    })),
    new: of('new', added),
    changed: of('changed', changed),
  }
  const counted = (differences: readonly Difference[]): { files: number; bytes: number } => ({
    files: differences.length,
    bytes: differences.reduce((sum, { size }) => sum + size, 0),
  })
  return {
    kind: 'reviewed',
    named: Object.values(all).flat().slice(0, mostDifferences),
    counts: {
      new: counted(all.new),
      changed: counted(all.changed),
      gone: counted(all.gone),
      conflict: counted(all.conflict),
      'changed-there': counted(all['changed-there']),
    },
    folders: folders.length,
    skipped: skipped.length,
    isManyGone: isManyGone(gone.length, pushed),
  }
}
