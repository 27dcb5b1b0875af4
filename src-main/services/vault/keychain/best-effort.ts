import { ProblemError } from '../../../domain/base/problem.ts'

/**
 * Does what need not succeed for the caller to go on: a keychain or a store that refuses leaves things as they are, to be
 * seen in what is listed, and to be done later. Tells nobody, so the caller says why that is enough.
 *
 * @throws whatever is no ProblemError, as that is a fault of the program
 */
export async function bestEffort(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
  }
}
