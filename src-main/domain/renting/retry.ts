import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { instanceIdentity } from '../instances/instance-identity.ts'
import { isPassing } from '../rental-api/service-errors.ts'

/** How auto-retry goes on when an instance doesn't start. */
export const retryPlan = z.object({
  /** How many machines may be rented, one after the other, the first one included. */
  machines: z.number().int().min(1).max(20),
  /** What an offer may cost, disk included; `null` for any price. */
  capPerHourUsd: z.number().positive().nullable(),
  /** How long each machine may take to become running. */
  bootMinutes: z.number().min(1).max(240),
  /** After this long no further machine is rented. */
  giveUpAfterMinutes: z
    .number()
    .min(1)
    .max(7 * 24 * 60),
})
export type RetryPlan = z.infer<typeof retryPlan>

/** What of an offer the history tells. */
export const triedOffer = z.object({
  offerId: z.number().int(),
  /** So that a machine that failed is not taken again under another offer. */
  machineId: z.number().nullable(),
  title: z.string(),
  perHourUsd: z.number().nullable(),
})
export type TriedOffer = z.infer<typeof triedOffer>

const instanceId = z.number().int()

/** The states that never become running (service API 3.1). */
const deadEnd = z.enum(['exited', 'unknown', 'offline'])

/** Why a machine is destroyed. */
const removalReason = z.enum([...deadEnd.options, 'late', 'stopped', 'reappeared'])
export type RemovalReason = z.infer<typeof removalReason>

const retryOutcome = z.discriminatedUnion('kind', [
  /** A machine runs: what was wanted. */
  z.object({ kind: z.literal('running'), instanceId }),
  /** What was to be replaced isn't in a state any more that never runs: nothing is done to it from then on. */
  z.object({ kind: z.literal('revived'), instanceId }),
  /** What was to be replaced is still listed, and by now nothing could be rented in its place: it isn't destroyed. */
  z.object({
    kind: z.literal('kept'),
    instanceId,
    why: z.enum(['out-of-time', 'request-lost', 'no-offers']),
  }),
  /** The user stopped it; a machine that was kept is named. */
  z.object({ kind: z.literal('stopped'), instanceId: instanceId.nullable() }),
  /** As many machines were rented as may be. */
  z.object({ kind: z.literal('exhausted') }),
  z.object({ kind: z.literal('no-offers') }),
  z.object({ kind: z.literal('out-of-time') }),
  /** Somebody else stopped or destroyed the machine: it is theirs. */
  z.object({ kind: z.literal('taken-over'), instanceId }),
  /** What the list has under its id is on another machine than the one that was rented: it may be somebody else's. */
  z.object({ kind: z.literal('other-machine'), instanceId }),
  /** It was rented, and the list does not have it. */
  z.object({ kind: z.literal('vanished'), instanceId }),
  /** The reply was lost and several new instances appeared: Slipway does not guess which one to destroy. */
  z.object({ kind: z.literal('ambiguous'), instanceIds: z.array(instanceId).readonly() }),
  /** What was to be rented is not known any more: it lasted for one run, for want of a keychain. */
  z.object({ kind: z.literal('request-lost') }),
  z.object({ kind: z.literal('refused'), problem }),
])
export type RetryOutcome = z.infer<typeof retryOutcome>
/** Why nothing could be rented in an instance's place. */
export type KeptReason = Extract<RetryOutcome, { kind: 'kept' }>['why']

/** An instance that never runs, whoever rented it: it is destroyed before the first offer is rented. */
export const replacedInstance = z.object({ instanceId, identity: instanceIdentity, why: deadEnd })
export type ReplacedInstance = z.infer<typeof replacedInstance>

/** The steps of one rental. */
export const rentalSteps = [
  z.object({
    kind: z.literal('trying'),
    rentalId: z.string(),
    offer: triedOffer,
    /** Instances that were there before: another one later may be this rental, if its reply is lost. */
    knownIds: z.array(instanceId).readonly(),
  }),
  z.object({ kind: z.literal('rented'), instanceId }),
  z.object({
    kind: z.literal('not-rented'),
    /** `null`: its reply was lost, and nothing was rented. */
    problem: problem.nullable(),
    /** Of auto-rent: no list has shown it yet, which proves nothing. */
    mayAppear: z.literal(true).optional(),
  }),
] as const

/** One step, as the history tells it. */
export const retryStep = z.discriminatedUnion('kind', [
  replacedInstance.extend({ kind: z.literal('replacing') }),
  ...rentalSteps,
  /** Written before the request to destroy it. */
  z.object({ kind: z.literal('failing'), instanceId, why: removalReason }),
  z.object({ kind: z.literal('destroying'), instanceId }),
  /** The list does not have it any more. */
  z.object({ kind: z.literal('gone'), instanceId }),
  /** Something is in the way; Slipway goes on trying. */
  z.object({ kind: z.literal('trouble'), problem }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('stopping'), machine: z.enum(['keep', 'destroy']) }),
  z.object({ kind: z.literal('ended'), outcome: retryOutcome }),
])
export type RetryStep = z.infer<typeof retryStep>

/** `at` in ms since the epoch. */
const timedStep = z.object({ at: z.number(), step: retryStep })
export type TimedStep = z.infer<typeof timedStep>

/** Where an auto-retry stands. Between `trying` and `gone` there is one machine that may cost money; never two. */
export type RetryPhase =
  | { readonly kind: 'searching' }
  | { readonly kind: 'renting'; readonly rentalId: string; readonly at: number }
  | { readonly kind: 'booting'; readonly instanceId: number; readonly at: number }
  | {
      readonly kind: 'removing'
      readonly instanceId: number
      readonly why: RemovalReason
      readonly isAsked: boolean
    }
  | { readonly kind: 'ended'; readonly outcome: RetryOutcome }

/** Where the steps have led to. */
export function phaseOf(steps: readonly TimedStep[]): RetryPhase {
  return steps.reduce<RetryPhase>(after, { kind: 'searching' })
}

function after(phase: RetryPhase, { at, step }: TimedStep): RetryPhase {
  switch (step.kind) {
    case 'trying':
      return { kind: 'renting', rentalId: step.rentalId, at }
    case 'rented':
      return { kind: 'booting', instanceId: step.instanceId, at }
    case 'replacing':
    case 'failing':
      return { kind: 'removing', instanceId: step.instanceId, why: step.why, isAsked: false }
    case 'destroying':
      return phase.kind === 'removing' ? { ...phase, isAsked: true } : phase
    case 'not-rented':
    case 'gone':
      return { kind: 'searching' }
    case 'ended':
      return { kind: 'ended', outcome: step.outcome }
    case 'trouble':
    case 'resumed':
    case 'stopping':
      return phase
  }
}

/** The instance that is replaced, when there is one. */
export function replacedIn(steps: readonly TimedStep[]): ReplacedInstance | null {
  const first = steps[0]?.step
  return first?.kind === 'replacing' ? first : null
}

/** What the steps say about the whole, besides the phase. */
export function countSteps(steps: readonly TimedStep[]): {
  /** Not to be tried again. */
  readonly tried: readonly TriedOffer[]
  readonly attempts: number
  readonly instanceIds: readonly number[]
  readonly stopping: 'keep' | 'destroy' | null
} {
  const attempts = steps.flatMap(({ step }, index) => (step.kind === 'trying' ? [{ step, index }] : []))
  const stopping = steps.findLast(({ step }) => step.kind === 'stopping')?.step
  return {
    tried: attempts.flatMap(({ step, index }) => (wasPassing(steps, index) ? [] : [step.offer])),
    attempts: attempts.length,
    instanceIds: steps.flatMap(({ step }) => (step.kind === 'rented' ? [step.instanceId] : [])),
    stopping: stopping?.kind === 'stopping' ? stopping.machine : null,
  }
}

/** The offer by which an instance was rented; the last one when its id is not among the steps. */
export function offerTriedFor(steps: readonly TimedStep[], id: number): TriedOffer | undefined {
  const index = steps.findLastIndex(({ step }) => step.kind === 'rented' && step.instanceId === id)
  const trying = steps.slice(0, index < 0 ? undefined : index).findLast(({ step }) => step.kind === 'trying')
  return trying?.step.kind === 'trying' ? trying.step.offer : undefined
}

/** Whether an attempt failed for a reason that has nothing to do with its offer. */
function wasPassing(steps: readonly TimedStep[], index: number): boolean {
  const end = steps
    .slice(index + 1)
    .find(({ step }) => step.kind === 'not-rented' || step.kind === 'rented' || step.kind === 'trying')?.step
  return end?.kind === 'not-rented' && end.problem !== null && isPassing(end.problem)
}

/** An auto-retry as the window shows it. */
export const retryView = z.object({
  id: z.string(),
  begunAt: z.number(),
  plan: retryPlan,
  steps: z.array(timedStep).readonly(),
})
export type RetryView = z.infer<typeof retryView>
