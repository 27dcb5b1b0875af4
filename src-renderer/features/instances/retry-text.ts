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
  exited: 'its container exited',
  unknown: 'its host stopped responding',
  offline: 'its host went offline',
  late: 'it didn’t start in time',
  stopped: 'you stopped the auto-retry',
  reappeared: 'it’s in the list again',
}

/** Why nothing could be rented in an instance's place, so that it was kept. */
const keptReasons: Readonly<Record<KeptReason, string>> = {
  'out-of-time': 'the time of this auto-retry was up before the instance was destroyed',
  'request-lost': 'the next rental request was lost in the restart, because there’s no keychain',
  'no-offers': 'no offer is within your limits',
}

/** One step of an auto-retry as its history tells it. */
export function stepText(step: RetryStep): string {
  switch (step.kind) {
    case 'replacing':
      return `Instance ${step.instanceId} will be destroyed and replaced: ${reasons[step.why]}`
    case 'trying':
      return `Renting ${step.offer.title} (offer ${step.offer.offerId}, ${formatUsdPerHour(step.offer.perHourUsd)})`
    case 'rented':
      return `Rented as instance ${step.instanceId}; waiting until it’s running`
    case 'not-rented':
      return step.problem === null
        ? 'Not rented: no reply, and the list shows no new instance'
        : `Not rented: ${problemText(step.problem, 'rent').title.toLowerCase()}`
    case 'failing':
      return `Instance ${step.instanceId} will be destroyed: ${reasons[step.why]}`
    case 'destroying':
      return `Destroying instance ${step.instanceId}`
    case 'gone':
      return `Instance ${step.instanceId} is no longer listed; its charges have ended`
    case 'trouble':
      return `${problemText(step.problem).title}; Slipway tries again`
    case 'resumed':
      return 'Slipway restarted and continues'
    case 'stopping':
      return step.machine === 'keep'
        ? 'You stopped the auto-retry and kept the instance'
        : 'You stopped the auto-retry'
    case 'ended':
      return outcomeText(step.outcome).text
    default:
      return assertNever(step)
  }
}

/** What stands in place of the list while it is empty and an auto-retry isn't over. */
export function noMachineText(steps: readonly TimedStep[]): string {
  return countSteps(steps).stopping === null
    ? 'Auto-retry continues: see its progress above. You aren’t charged between two attempts.'
    : 'You stopped the auto-retry: see its progress above. Slipway rents nothing more.'
}

/** How an auto-retry came out. */
export function outcomeText(outcome: RetryOutcome): { readonly tone: Tone; readonly text: string } {
  switch (outcome.kind) {
    case 'running':
      return { tone: 'good', text: `Instance ${outcome.instanceId} is running` }
    case 'stopped':
      return outcome.instanceId === null
        ? { tone: 'neutral', text: 'Stopped. No instance of it is left' }
        : {
            tone: 'neutral',
            text: `Stopped. Instance ${outcome.instanceId} was kept, and you’re charged for it`,
          }
    case 'exhausted':
      return {
        tone: 'bad',
        text: 'No instance started: all attempts that you allowed failed. No instance is left',
      }
    case 'no-offers':
      return { tone: 'bad', text: 'No other offer is within your limits. No instance is left' }
    case 'out-of-time':
      return { tone: 'bad', text: 'Auto-retry ran out of time. No instance is left' }
    case 'taken-over':
      return {
        tone: 'neutral',
        text: `Instance ${outcome.instanceId} was stopped or destroyed by someone else. Slipway rents nothing more`,
      }
    case 'revived':
      return {
        tone: 'neutral',
        text: `The state of instance ${outcome.instanceId} changed and it may be running, so Slipway leaves it alone. Nothing was rented`,
      }
    case 'kept':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} was kept, and you’re still charged for it: ${keptReasons[outcome.why]}. Nothing was rented`,
      }
    case 'other-machine':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} is on another machine than the one rented, so Slipway leaves it alone. Check whether it’s yours: you may be charged. Slipway rents nothing more`,
      }
    case 'vanished':
      return {
        tone: 'bad',
        text: `Instance ${outcome.instanceId} was rented and isn’t listed anymore. Ask the service whether you’re charged for it. Slipway rents nothing more`,
      }
    case 'ambiguous':
      return {
        tone: 'bad',
        text: `A reply was lost, and these instances are new: ${outcome.instanceIds.join(', ')}. You may be charged for each. Destroy those that you don’t need. Slipway rents nothing more`,
      }
    case 'request-lost':
      return {
        tone: 'bad',
        text: 'The rental request was lost in the restart, because there’s no keychain. No instance is left',
      }
    case 'refused':
      return {
        tone: 'bad',
        text: `${problemText(outcome.problem, 'rent').title}. No instance is left`,
      }
    default:
      return assertNever(outcome)
  }
}
