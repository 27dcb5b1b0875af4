import type { z } from 'zod'

/**
 * A union under the name of the type that it's declared as.
 *
 *     export type Problem = NamedUnion<z.infer<typeof anyProblem>>
 *     export const problem: NamedSchema<Problem> = anyProblem
 *
 * What is made of it, such as each call that may fail with a problem, then has this name in its declaration, and not all
 * that is in it, again and again: that would be megabytes for the compiler to write, to read, and to compare.
 */
export type NamedUnion<T> = T extends unknown ? T : never

/** A schema of such a type; `.options` and the like it has no more. */
export type NamedSchema<T> = z.ZodType<T, T>
