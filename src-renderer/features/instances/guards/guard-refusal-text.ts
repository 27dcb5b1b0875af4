import { assertNever } from '#domain/base/assert-never.ts'
import type { GuardRefusal } from '#domain/base/guard-refusal.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** Why an auto-stop rule wasn't added. */
export function guardRefusalText(reason: GuardRefusal): ProblemText {
  return { title: 'Couldn’t add the auto-stop rule', ...wordsOf(reason) }
}

function wordsOf(reason: GuardRefusal): Pick<ProblemText, 'meaning' | 'nextStep'> {
  switch (reason.code) {
    case 'not-listed':
      return {
        meaning: 'The instance isn’t in the list.',
        nextStep: 'Refresh the list, then check whether the instance still exists.',
      }
    case 'past':
      return { meaning: 'This time has passed.', nextStep: 'Enter a time in the future.' }
    case 'not-running':
      return {
        meaning: 'The instance isn’t running, so there’s nothing to stop. You’re still charged for its disk.',
        nextStep: 'To end all charges, choose “Destroy instance”.',
      }
    case 'cost-unknown':
      return {
        meaning: 'The instance’s cost is unknown: the service names no price or no start time.',
        nextStep: 'Choose another condition, such as a number of hours.',
      }
    case 'cost-reached':
      return {
        meaning: 'The instance has already cost more than that.',
        nextStep: 'Enter a higher amount, or stop the instance now.',
      }
    case 'repeated':
      return {
        meaning: 'The instance has a rule with this action and condition.',
        nextStep: 'To change it, remove that rule, then add this one.',
      }
    case 'destroyed-before':
      return {
        meaning: 'One rule would destroy the instance before the other one could stop it.',
        nextStep: 'Stop it earlier, destroy it later, or remove the other rule.',
      }
    case 'stopped-before':
      return {
        meaning:
          'One rule would stop the instance at a lower cost, so it wouldn’t reach the cost of the other one.',
        nextStep: 'To destroy it after that, choose “Once stopped for days”.',
      }
    case 'only-in-slipway':
      return {
        meaning: 'A stopped instance can’t run a rule.',
        nextStep: 'Under “Where”, choose “In Slipway”.',
      }
    case 'only-on-instance':
      return {
        meaning: 'Slipway can’t see the instance’s processes.',
        nextStep: 'Under “Where”, choose “On the instance”.',
      }
    case 'too-many':
      return {
        meaning: `The instance has ${reason.most} rules, the most that Slipway allows.`,
        nextStep: 'Remove a rule, then add this one.',
      }
    default:
      return assertNever(reason)
  }
}
