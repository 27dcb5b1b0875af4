import { z } from 'zod'
import { ProblemError } from './problem.ts'

/** Whether a name of an account (`qualifiedUserId`) is that of the account whose file it is. */
export type IsOwn = (owner: string) => boolean

/**
 * Makes the content of a file of one version into that of the next one. It gets whatever is on the disk, never throws,
 * and returns what it does not know as it is: the schema of the latest version has the last word.
 */
export type VersionStep = (content: unknown, isOwn: IsOwn) => unknown

/** A step from a former shape, whose schema says by defaults and transforms what has become of it. */
export function stepFrom(former: z.ZodType): VersionStep {
  return (content) => {
    const parsed = former.safeParse(content)
    return parsed.success ? parsed.data : content
  }
}

/**
 * From a file that had a part for each account, by its name, to the part of the account whose file it is.
 *
 * @param none what holds where it has none
 */
export function stepToOwnPart(
  former: z.ZodType<Readonly<Record<string, unknown>>>,
  none: unknown,
): VersionStep {
  return (content, isOwn) => {
    const parsed = former.safeParse(content)
    if (!parsed.success) return content
    const own = Object.entries(parsed.data).find(([owner]) => isOwn(owner))
    return own === undefined ? none : own[1]
  }
}

const entriesWithOwner = z.array(z.looseObject({ owner: z.string() }))

/** From a list whose entries name their account to the entries of the account whose file it is. */
export const stepToOwnEntries: VersionStep = (content, isOwn) => {
  const parsed = entriesWithOwner.safeParse(content)
  return parsed.success
    ? parsed.data.filter(({ owner }) => isOwn(owner)).map(({ owner: _, ...entry }) => entry)
    : content
}

/** The content in the latest version. @param version its own, from 1 */
export function upgraded(
  content: unknown,
  version: number,
  steps: readonly VersionStep[],
  isOwn: IsOwn = () => false,
): unknown {
  return steps.slice(version - 1).reduce((former, step) => step(former, isOwn), content)
}

/** What is told of a file that is not read. */
export function newerDetail(version: number, latest: number): string {
  return `It has version ${version}, and this Slipway reads up to version ${latest}.`
}

/** Why nothing is written to a file. */
export function newerFile(file: string): ProblemError {
  return new ProblemError({ kind: 'newer-file', file })
}
