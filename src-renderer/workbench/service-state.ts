import type { Problem } from '#domain/base/problem.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'

/** How the service stands, from what was last asked of it. */
export type ServiceState =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'answering' }
  /** It answers no more: what is shown is the last known state. */
  | { readonly kind: 'in-trouble'; readonly text: ProblemText; readonly word: string }

interface LastAnswers {
  readonly fetchedAt: number | null
  readonly listProblem: Problem | null
  readonly accountProblem: Problem | null
}

export function serviceState({ fetchedAt, listProblem, accountProblem }: LastAnswers): ServiceState {
  const problem = listProblem ?? accountProblem
  if (problem !== null)
    return { kind: 'in-trouble', text: problemText(problem, 'load'), word: wordFor(problem) }
  return { kind: fetchedAt === null ? 'not-asked' : 'answering' }
}

/** While the service does not answer as it should: what goes on, and what has to wait. */
export const troubleTexts = {
  works:
    'Terminals, files, and forwards, at the last known addresses; one-time passwords, and the lists as they were last seen.',
  waits:
    'Searching, renting, stopping, and destroying. Auto-stop rules run when the service answers. You’re still charged for your instances.',
} as const

/** When the service last answered anything; `null` for not in this run. */
export function lastAnswerAt(...answers: readonly (number | null | undefined)[]): number | null {
  const known = answers.filter((at) => typeof at === 'number')
  return known.length === 0 ? null : Math.max(...known)
}

/** The one word that has room in the top bar. */
function wordFor(problem: Problem): string {
  switch (problem.kind) {
    case 'unreachable':
      return 'Offline'
    case 'key-refused':
      return 'Key refused'
    case 'secret-missing':
      return 'Key missing'
    case 'address-changed':
      return 'Address changed'
    case 'keychain-locked':
      return 'Key locked'
    case 'not-allowed':
      return 'Not allowed'
    case 'rate-limited':
      return 'Paused'
    default:
      return 'Trouble'
  }
}
