import { assertNever } from '#domain/base/assert-never.ts'
import {
  countSteps,
  type KeptReason,
  type RetryOutcome,
  type RetryStep,
  type RemovalReason,
  type TimedStep,
} from '#domain/renting/retry.ts'
import { formatUsdPerHour } from '#ui/format.ts'
import { problemText } from '#ui/problems/problem-text.ts'
import type { Tone } from '#ui/tone.ts'

const reasons: Readonly<Record<RemovalReason, string>> = {
  exited: 'its container ended',
  unknown: 'its host sends no sign of life',
  offline: 'its host was disconnected',
  late: 'it did not run in time',
  stopped: 'you stopped trying',
  reappeared: 'it is in the list again',
}

/** Why nothing could be rented in an instance's place, so that it was kept. */
const keptReasons: Readonly<Record<KeptReason, string>> = {
  'out-of-time': 'the time of this auto-retry was up before the instance was destroyed',
  'request-lost': 'for want of a keychain, what to rent in its place was lost in the restart',
  'no-offers': 'no offer is within your limits',
}

/** One step of an auto-retry as its history tells it. */
export function stepText(step: RetryStep): string {
  switch (step.kind) {
    case 'replacing':
      return `Instance ${step.instanceId} is to be destroyed and replaced: ${reasons[step.why]}`
    case 'trying':
      return `Renting ${step.offer.title} (offer ${step.offer.offerId}, ${formatUsdPerHour(step.offer.perHourUsd)})`
    case 'rented':
      return `Rented as instance ${step.instanceId}; waiting until it runs`
    case 'not-rented':
      return step.problem === null
        ? 'Not rented: no reply came, and the list shows no new instance'
        : `Not rented: ${problemText(step.problem, 'rent').title.toLowerCase()}`
    case 'failing':
      return `Instance ${step.instanceId} is to be destroyed: ${reasons[step.why]}`
    case 'destroying':
      return `Destroying instance ${step.instanceId}`
    case 'gone':
      return `Instance ${step.instanceId} is gone from the list; its billing has ended`
    case 'trouble':
      return `${problemText(step.problem).title}; Slipway tries again`
    case 'resumed':
      return 'Slipway was started again and goes on'
    case 'stopping':
      return step.machine === 'keep' ? 'You stopped it, and keep the machine' : 'You stopped it'
    case 'ended':
      return outcomeText(step.outcome).text
    default:
      return assertNever(step)
  }
}

/** What stands in place of the list while it is empty and an auto-retry isn't over. */
export function noMachineText(steps: readonly TimedStep[]): string {
  return countSteps(steps).stopping === null
    ? 'Slipway is trying to get one to run: above is how far it has come. Between two machines nothing is charged.'
    : 'You stopped trying: above is how far it has come. Slipway rents no other machine.'
}

/** How an auto-retry came out. */
export function outcomeText(outcome: RetryOutcome): { readonly tone: Tone; readonly text: string } {
  switch (outcome.kind) {
    case 'running':
      return { tone: 'good', text: `Instance ${outcome.instanceId} is running` }
    case 'stopped':
      return outcome.instanceId === null
        ? { tone: 'neutral', text: 'Stopped. No machine of it is left' }
        : { tone: 'neutral', text: `Stopped. Instance ${outcome.instanceId} was kept and is charged` }
    case 'exhausted':
      return { tone: 'bad', text: 'No machine came to run in as many tries as you allowed. None is left' }
    case 'no-offers':
      return { tone: 'bad', text: 'There is no further offer within your limits. No machine is left' }
    case 'out-of-time':
      return { tone: 'bad', text: 'Its time is up. No machine is left' }
    case 'taken-over':
      return {
        tone: 'neutral',
        text: `Instance ${outcome.instanceId} was stopped or destroyed by someone else. Nothing more is rented`,
      }
    case 'revived':
      return {
        tone: 'neutral',
        text: `The state of instance ${outcome.instanceId} has changed: it may run, so Slipway does nothing more to it. Nothing is rented`,
      }
    case 'kept':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} was kept, and you’re still charged for it: ${keptReasons[outcome.why]}. Nothing was rented`,
      }
    case 'other-machine':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} is on another machine than the one that was rented, so Slipway leaves it alone. Look whether it is yours: it may be charged. Nothing more is rented`,
      }
    case 'vanished':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} was rented and is not in the list. Ask the service whether it’s charged. Nothing more is rented`,
      }
    case 'ambiguous':
      return {
        tone: 'bad',
        text: `A reply was lost, and these instances are new: ${outcome.instanceIds.join(', ')}. Each of them may be charged. Destroy what is not yours to keep. Nothing more is rented`,
      }
    case 'request-lost':
      return {
        tone: 'bad',
        text: 'What was to be rented could not be kept over the restart, for want of a keychain. No machine is left',
      }
    case 'refused':
      return {
        tone: 'bad',
        text: `${problemText(outcome.problem, 'rent').title}. No machine is left`,
      }
    default:
      return assertNever(outcome)
  }
}
