import type { LinkOutcome } from '#domain/instances/link-outcome.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** Why a link was not opened; `null` when it was. */
export function linkText(outcome: LinkOutcome, program: 'VS Code' | 'your browser'): ProblemText | null {
  switch (outcome) {
    case 'opened':
      return null
    case 'gone':
      return {
        title: 'There is nothing to open any more',
        meaning: 'The service does not list this machine, or this port of it, any more.',
        nextStep: 'Look at the list of instances.',
      }
    case 'no-address':
      return {
        title: 'The machine has no SSH address yet',
        meaning: `${program} would not find it.`,
        nextStep: 'Wait until it runs, then try again.',
      }
    case 'needs-alias':
      return {
        title: 'A link cannot hold this address',
        meaning: 'It is an IPv6 address, which VS Code finds only by a name in the SSH configuration.',
        nextStep: 'Add the machine to the SSH configuration, then try again.',
      }
    case 'no-program':
      return {
        title: `The system did not open ${program}`,
        meaning: 'No program is registered for this kind of link, or it could not be started.',
        nextStep:
          program === 'VS Code'
            ? 'Install VS Code with its Remote – SSH extension, or use the SSH command.'
            : 'Copy the address and open it yourself.',
      }
  }
}
