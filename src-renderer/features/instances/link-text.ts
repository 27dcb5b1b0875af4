import type { LinkOutcome } from '#domain/instances/link-outcome.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** Why a link was not opened; `null` when it was. */
export function linkText(outcome: LinkOutcome, program: 'VS Code' | 'your browser'): ProblemText | null {
  switch (outcome) {
    case 'opened':
      return null
    case 'opened-unanswered':
      return {
        title: `Opened in ${program}, but no address answered`,
        meaning: `${program} got the direct address. Neither that one nor the service’s SSH address answered within 3 seconds.`,
        nextStep: `If ${program} can’t connect, wait a minute, then try again.`,
      }
    case 'gone':
      return {
        title: 'Nothing to open anymore',
        meaning: 'The service no longer lists this instance or this port.',
        nextStep: 'Check the list of instances.',
      }
    case 'no-address':
      return {
        title: 'The instance has no SSH address yet',
        meaning: `${program} can’t find it without one.`,
        nextStep: 'Wait until it’s running, or choose another address (Change…), then try again.',
      }
    case 'needs-alias':
      return {
        title: 'A link can’t contain this address',
        meaning: 'VS Code opens an IPv6 address only by a name in the SSH configuration.',
        nextStep: 'Add the instance to the SSH configuration, then try again.',
      }
    case 'no-program':
      return {
        title: `Couldn’t open ${program}`,
        meaning: 'No program is registered for this kind of link, or it couldn’t start.',
        nextStep:
          program === 'VS Code'
            ? 'Install VS Code with its Remote – SSH extension, or use the SSH command.'
            : 'Copy the address and open it yourself.',
      }
  }
}
