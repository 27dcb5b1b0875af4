import { isOver, type Transfer, type TransferProblem } from '#domain/files/transfer.ts'

/** A transfer of an upload, from when main has taken it. */
export interface UploadPart {
  readonly id: string
  readonly names: readonly string[]
  /** Main told of it: when it isn't told of any more, its user removed it. */
  readonly isKnown: boolean
  /** It asked what to do with names that are taken, so that a file may have got another one, or was left as it was. */
  readonly hasAsked: boolean
}

export type UploadState =
  /** `pastes`: its paths may still be pasted when it's done. */
  | { readonly kind: 'going'; readonly pastes: boolean }
  /** By its user: nothing happens until it's resumed. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'asking' }
  | {
      readonly kind: 'failed'
      readonly problem: TransferProblem
      /** What failed: the rest may be there. */
      readonly names: readonly string[]
    }
  /** Nothing is to be said of it any more: it was canceled, or removed from the list. */
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'done'
      /** Those that are there, as far as main tells. */
      readonly names: readonly string[]
      /** Files that aren't there, or not all of a folder's. */
      readonly skipped: number
      /** Why a path may be wrong: it asked about names that are taken, or main names only the first that were skipped. */
      readonly doubt: 'asked' | 'too-many-skipped' | null
    }

/** What main tells now, noted with what it told before. */
export function noted(part: UploadPart, transfers: readonly Transfer[]): UploadPart {
  const transfer = transfers.find(({ id }) => id === part.id)
  if (transfer === undefined) return part
  return { ...part, isKnown: true, hasAsked: part.hasAsked || transfer.phase.kind === 'asking' }
}

/** @param parts as noted */
export function uploadStateOf(parts: readonly UploadPart[], transfers: readonly Transfer[]): UploadState {
  const told = parts.map((part) => ({ part, transfer: transfers.find(({ id }) => id === part.id) }))
  const phases = told.flatMap(({ transfer }) => transfer?.phase ?? [])
  if (phases.some(({ kind }) => kind === 'asking')) return { kind: 'asking' }
  const isGoing = ({ part, transfer }: (typeof told)[number]): boolean =>
    transfer === undefined ? !part.isKnown : !isOver(transfer.phase)
  const going = told.filter(isGoing)
  if (going.length > 0)
    return going.every(({ transfer }) => transfer?.phase.kind === 'paused')
      ? { kind: 'paused' }
      : { kind: 'going', pastes: !parts.some(({ hasAsked }) => hasAsked) }
  const failed = told.flatMap(({ part, transfer }) =>
    transfer?.phase.kind === 'failed' ? { names: part.names, problem: transfer.phase.problem } : [],
  )
  const [first] = failed
  if (first) return { kind: 'failed', problem: first.problem, names: failed.flatMap(({ names }) => names) }
  const done = told.filter(({ transfer }) => transfer?.phase.kind === 'done')
  if (done.length === 0) return { kind: 'gone' }
  const named = new Set(done.flatMap(({ transfer }) => transfer?.skipped.map(({ path }) => path) ?? []))
  const isListCut = done.some(({ transfer }) => transfer && transfer.skippedCount > transfer.skipped.length)
  const hasAsked = done.some(({ part }) => part.hasAsked)
  return {
    kind: 'done',
    names: done.flatMap(({ part }) => part.names.filter((name) => !named.has(name))),
    skipped: done.reduce((sum, { transfer }) => sum + (transfer?.skippedCount ?? 0), 0),
    doubt: isListCut ? 'too-many-skipped' : hasAsked ? 'asked' : null,
  }
}

/** The names whose paths may be pasted: of an upload that is done, if they're surely there. */
export function namesToPaste(state: UploadState): readonly string[] {
  return state.kind === 'done' && state.doubt === null ? state.names : []
}
