/** A value that is edited, with the way back and forth. */
export interface EditHistory<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** What the last edit was made to: further ones to the same are one step. */
  readonly subject: string | null
}

/** Steps that can be undone. */
const longestPast = 200

export function editHistory<T>(present: T): EditHistory<T> {
  return { past: [], present, future: [], subject: null }
}

/**
 * With an edit.
 *
 * @param subject what is typed into, so that a word is one step and not one per letter; `null` for a step of its own
 */
export function edited<T>(history: EditHistory<T>, present: T, subject: string | null): EditHistory<T> {
  const isSameStep = subject !== null && subject === history.subject
  const past = isSameStep ? history.past : [...history.past, history.present].slice(-longestPast)
  return { past, present, future: [], subject }
}

/** One step back; itself where there is none. */
export function undone<T>(history: EditHistory<T>): EditHistory<T> {
  const { past, present, future } = history
  const before = past.at(-1)
  if (before === undefined) return history
  return { past: past.slice(0, -1), present: before, future: [present, ...future], subject: null }
}

/** One step forth again; itself where there is none. */
export function redone<T>(history: EditHistory<T>): EditHistory<T> {
  const { past, present, future } = history
  const [next, ...rest] = future
  if (next === undefined) return history
  return { past: [...past, present], present: next, future: rest, subject: null }
}
