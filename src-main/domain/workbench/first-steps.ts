import { z } from 'zod'
import { knownNumber } from '../fields/field-format.ts'
import { outlookOf, type InstanceState } from '../instances/instance-status.ts'

/** What a newcomer does, in this order, from nothing to a shell and back to owing nothing. */
export const firstStepKinds = ['connect', 'credit', 'ssh-key', 'rent', 'shell', 'end'] as const
export type FirstStepKind = (typeof firstStepKinds)[number]

/** Those that leave nothing behind to look at: that they were done once is kept. */
const lasting = ['rent', 'shell', 'end'] as const
export type LastingStep = (typeof lasting)[number]

export const firstStepsPreference = z.object({
  done: z.array(z.enum(lasting)).readonly(),
  /** `while-open`: as long as there is something to do. `always`: brought back. `never`: put away. */
  shown: z.enum(['while-open', 'always', 'never']),
})
export type FirstStepsPreference = z.infer<typeof firstStepsPreference>
export const defaultFirstSteps: FirstStepsPreference = { done: [], shown: 'while-open' }

export interface FirstStep {
  readonly kind: FirstStepKind
  /** `unknown` is nothing to do: a limited key may not be told the credit, for one. */
  readonly state: 'done' | 'open' | 'unknown'
}

export interface FirstStepFacts {
  readonly isConnected: boolean
  /** As the service says it. */
  readonly creditUsd: number | null | undefined
  /** Whether there is anything to log in with; `null` while nobody has looked. */
  readonly hasLoginKey: boolean | null
  readonly done: readonly LastingStep[]
}

export function firstStepsOf({
  isConnected,
  creditUsd,
  hasLoginKey,
  done,
}: FirstStepFacts): readonly FirstStep[] {
  const credit = knownNumber(creditUsd)
  const state = (isDone: boolean | null): FirstStep['state'] =>
    isDone === null ? 'unknown' : isDone ? 'done' : 'open'
  return [
    { kind: 'connect', state: state(isConnected) },
    // Whoever has rented had credit; what is left of it is said in the top bar.
    { kind: 'credit', state: state(done.includes('rent') || (credit === null ? null : credit > 0)) },
    { kind: 'ssh-key', state: state(hasLoginKey) },
    ...lasting.map((kind) => ({ kind, state: state(done.includes(kind)) })),
  ]
}

/** Whether the steps are to be seen. */
export function showsFirstSteps(shown: FirstStepsPreference['shown'], steps: readonly FirstStep[]): boolean {
  return shown === 'always' || (shown === 'while-open' && steps.some(({ state }) => state === 'open'))
}

type Seen = InstanceState & { readonly id: number }

/**
 * Which of the lasting steps two lists, one after the other, and the terminals show to be done. `before` is `null`
 * for the first list.
 */
export function stepsShownBy({
  before,
  now,
  hasShell,
}: {
  readonly before: readonly Seen[] | null
  readonly now: readonly Seen[]
  readonly hasShell: boolean
}): readonly LastingStep[] {
  const listed = new Set(now.map(({ id }) => id))
  const hasEnded =
    now.some((one) => outlookOf(one).kind === 'stopped') || (before ?? []).some(({ id }) => !listed.has(id))
  return [
    ...(now.length > 0 || hasEnded || hasShell ? (['rent'] as const) : []),
    ...(hasShell ? (['shell'] as const) : []),
    ...(hasEnded ? (['end'] as const) : []),
  ]
}
