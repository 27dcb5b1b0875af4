import type { z } from 'zod'
import { ProblemError } from './problem.ts'

/**
 * Makes the content of a file of one version into that of the next one. It gets whatever is on the disk, never throws,
 * and returns what it does not know as it is: the schema of the latest version has the last word.
 */
export type VersionStep = (content: unknown) => unknown

/** A step from a former shape, whose schema says by defaults and transforms what has become of it. */
export function stepFrom(former: z.ZodType): VersionStep {
  return (content) => {
    const parsed = former.safeParse(content)
    return parsed.success ? parsed.data : content
  }
}

/** The content in the latest version. @param version its own, from 1 */
export function upgraded(content: unknown, version: number, steps: readonly VersionStep[]): unknown {
  return steps.slice(version - 1).reduce((former, step) => step(former), content)
}

/** What is told of a file that is not read. */
export function newerDetail(version: number, latest: number): string {
  return `It has version ${version}, and this Slipway reads up to version ${latest}.`
}

/** Why nothing is written to a file. */
export function newerFile(file: string): ProblemError {
  return new ProblemError({ kind: 'newer-file', file })
}
