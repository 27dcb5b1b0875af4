import { z } from 'zod'
import { transferProblem } from './transfer.ts'

const folder = z.string().trim().min(1).max(4096)

/** A folder of this computer, the one of an instance that it is pushed to, and how. */
export const project = z.object({
  id: z.string().min(1).max(64),
  instanceId: z.number().int(),
  /** A folder of this computer. */
  local: folder,
  /** Absolute, or from the home folder (`~/app`); made where it isn't there yet. */
  remote: folder,
  /** What .gitignore files name stays here, and .git itself. */
  honorGitignore: z.boolean(),
  /** What stays here besides, in the same syntax. */
  excludes: z.array(z.string().min(1).max(1_000)).max(200).readonly(),
  /** What was pushed and is gone here is deleted there. */
  removeGone: z.boolean(),
  /** While it is on, what changes here is pushed by itself, once it's reviewed. */
  pushOnSave: z.boolean(),
  /** A review of it as it is was confirmed, and all was pushed: only then anything is pushed by itself. */
  isReviewed: z.boolean().default(false),
})
export type Project = z.infer<typeof project>

/** As it is added, without an id, or changed. */
export const projectDraft = project.omit({ isReviewed: true }).extend({ id: project.shape.id.nullable() })
export type ProjectDraft = z.infer<typeof projectDraft>

/** Why changes of a folder aren't all seen, so that not all of them are pushed by themselves. */
const watchFault = z.enum(['too-many-folders', 'system-limit', 'failed'])
export type WatchFault = z.infer<typeof watchFault>

const projectPhase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('idle') }),
  /** It is pushed on save, and nobody can reach the instance before it runs. */
  z.object({ kind: z.literal('waiting') }),
  z.object({ kind: z.literal('connecting') }),
  z.object({ kind: z.literal('reconnecting') }),
  /** So many files were found here. */
  z.object({ kind: z.literal('looking'), files: z.number().int() }),
  z.object({
    kind: z.literal('pushing'),
    files: z.number().int(),
    filesDone: z.number().int(),
    bytes: z.number(),
    bytesDone: z.number(),
  }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type ProjectPhase = z.infer<typeof projectPhase>

/** So many files wait for the user's word. */
const heldBack = z.object({
  /** Changed on the instance, too. */
  conflict: z.number().int(),
  /** Gone here, very many at once, or while something wasn't sent that one of them may be now. */
  gone: z.number().int(),
  /** New or changed, and maybe left out before a .gitignore file or a pattern changed. */
  uncovered: z.number().int(),
})
export type HeldBack = z.infer<typeof heldBack>

/** A project, and where it stands. */
export const projectState = z.object({
  project,
  phase: projectPhase,
  /** What the last push of this run of Slipway did; `null` before it. */
  last: z
    .object({
      /** Milliseconds since the epoch. */
      at: z.number(),
      files: z.number().int(),
      removed: z.number().int(),
      /** Left out, such as links. */
      skipped: z.number().int(),
    })
    .nullable(),
  heldBack,
  watchFault: watchFault.nullable(),
})
export type ProjectState = z.infer<typeof projectState>

/** How a file differs. `conflict`: it's another one there than what was pushed; `changed-there`: and the same here. */
const differenceKind = z.enum(['new', 'changed', 'gone', 'conflict', 'changed-there'])
export type DifferenceKind = z.infer<typeof differenceKind>

const difference = z.object({
  kind: differenceKind,
  /** From the project's folder, its parts joined by slashes. */
  path: z.string(),
  /** In bytes, here; of what is gone, there. */
  size: z.number(),
  /** In bytes, there; `null` where there is nothing. */
  sizeThere: z.number().nullable(),
})
export type Difference = z.infer<typeof difference>

const counted = z.object({ files: z.number().int(), bytes: z.number() })

/** What a push would do: the first thousand files by name, and how many there are. */
export const reviewOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reviewed'),
    named: z.array(difference).readonly(),
    counts: z.object({
      new: counted,
      changed: counted,
      gone: counted,
      conflict: counted,
      'changed-there': counted,
    }),
    /** Folders that are to be made. */
    folders: z.number().int(),
    /** Left out, such as links. */
    skipped: z.number().int(),
    /** So much is gone here that the folder itself may be missing. */
    isManyGone: z.boolean(),
  }),
  z.object({ kind: z.literal('failed'), problem: transferProblem }),
])
export type ReviewOutcome = z.infer<typeof reviewOutcome>

/** Differences that a review names. */
export const mostDifferences = 1_000

const paths = z.array(z.string().max(4096)).max(mostDifferences).readonly()

/** What the user said of files that a review has named, by their paths; others wait. */
export const reviewAnswers = z.object({
  /** Changed on the instance, and given up there. */
  replace: paths,
  /** Gone here, and deleted there. */
  remove: paths,
  /** Changed on the instance, or gone here, and left there as it is. */
  keep: paths,
})
export type ReviewAnswers = z.infer<typeof reviewAnswers>
