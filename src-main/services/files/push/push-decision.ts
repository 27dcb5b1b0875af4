import { isEqual } from '../copy-plan.ts'

/** What is known of a file without reading it. */
export interface FileStamp {
  /** In bytes. */
  readonly size: number
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number | null
}

/** A file as it was on both sides when they were last known to agree. */
export interface PushedFile {
  readonly here: FileStamp
  readonly there: FileStamp
  /** `sent` by a push; `found` equal; or both were `kept` as they are, different, by the user's word. */
  readonly how: 'sent' | 'found' | 'kept'
}

export type Decision =
  /** Nothing is to be done. */
  | 'equal'
  /** Equal, which isn't known yet. */
  | 'found'
  /** Nothing is in its way there. */
  | 'new'
  /** What is there is what was pushed. */
  | 'changed'
  /** What is there isn't what was pushed. */
  | 'conflict'
  /** The same, and here it's still what was pushed. */
  | 'changed-there'
  /** It's not here any more, and there it's still what was pushed. */
  | 'gone'
  /** It's not here any more, and there it's not what was pushed: it's none of the project's. */
  | 'forgotten'

/** What becomes of a file, by how it is here, there, and was when both last agreed; `null` where there is none. */
export function decide(here: FileStamp | null, there: FileStamp | null, last: PushedFile | null): Decision {
  if (here === null) return decideGone(there, last)
  if (there === null) return 'new'
  const isAsBefore = last !== null && isSame(last.there, there)
  const isSameHere = last !== null && isSame(last.here, here)
  if (last?.how === 'kept') return isAsBefore && isSameHere ? 'equal' : otherwise(here, there, 'conflict')
  // Not by the time there: it's in whole seconds, in which a file may be saved twice.
  if (isAsBefore) return isSameHere ? 'equal' : 'changed'
  return otherwise(here, there, isSameHere ? 'changed-there' : 'conflict')
}

function decideGone(there: FileStamp | null, last: PushedFile | null): Decision {
  return last?.how === 'sent' && there !== null && isSame(last.there, there) ? 'gone' : 'forgotten'
}

function otherwise(here: FileStamp, there: FileStamp, decision: Decision): Decision {
  return isEqual({ size: here.size, attributes: { mode: null, modifiedAt: here.modifiedAt } }, there)
    ? 'found'
    : decision
}

export function isSame(one: FileStamp, other: FileStamp): boolean {
  return one.size === other.size && one.modifiedAt === other.modifiedAt
}

/** What a file is there once it was sent: a copy takes the time over, in whole seconds. */
export function stampThere({ size, modifiedAt }: FileStamp): FileStamp {
  return { size, modifiedAt: modifiedAt === null ? null : Math.floor(modifiedAt / 1_000) * 1_000 }
}
