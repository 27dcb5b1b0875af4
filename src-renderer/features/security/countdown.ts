import { formatDuration, formatSeconds } from '#ui/format.ts'

/** The words of a countdown. */
export interface CountdownWords {
  /** What stands before the time. */
  readonly label: string
  /** What stands there when it is over. */
  readonly over: string
}

/** What is told aloud, in seconds left. */
const told = [600, 300, 120, 60, 30]

/** For the eye: begun seconds count, so that it says 0:01 until it is over. */
export function countdownText(leftMs: number, { label, over }: CountdownWords): string {
  return leftMs <= 0 ? over : `${label} ${formatDuration(leftMs + 999)}`
}

/** The last step that was reached, in seconds left; infinity before the first, 0 at the end. */
export function toldStep(leftMs: number): number {
  const seconds = Math.ceil(leftMs / 1000)
  return seconds <= 0 ? 0 : (told.findLast((each) => seconds <= each) ?? Number.POSITIVE_INFINITY)
}

/** For the ear, at a step. */
export function spokenText(step: number, { label, over }: CountdownWords): string {
  return step === 0 ? over : `${label} ${formatSeconds(step)}`
}
