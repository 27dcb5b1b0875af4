import { z } from 'zod'
import { assertNever } from '#domain/base/assert-never.ts'
import { chosenCondition, guardKinds, type ChosenCondition } from '#domain/guards/guard.ts'
import { typedNumber } from '#domain/renting/typed-number.ts'

const draft = z.object({
  kind: z.enum(guardKinds),
  /** `2026-11-21T18:00`, in the time of this computer. */
  at: z.string(),
  hours: z.string(),
  usd: z.string(),
  minutes: z.string(),
  days: z.string(),
  process: z.string(),
})
/** What is typed for an auto-stop rule; each kind keeps its own text. */
export type GuardDraft = z.infer<typeof draft>

/** What is typed for each kind. */
export const guardFields = {
  after: 'hours',
  at: 'at',
  cost: 'usd',
  idle: 'minutes',
  process: 'process',
  stopped: 'days',
} as const satisfies Readonly<Record<GuardDraft['kind'], keyof GuardDraft>>

/** The condition that a draft asks for, or what is wrong with it. @param now in ms since the epoch */
export function guardDraft(now: () => number): z.ZodType<ChosenCondition, GuardDraft> {
  return draft.transform((typed, context): ChosenCondition => {
    const parsed = chosenCondition.safeParse(rawCondition(typed))
    const isPast = parsed.data?.kind === 'at' && parsed.data.at <= now()
    if (parsed.success && !isPast) return parsed.data
    const message = isPast ? 'Enter a time in the future.' : hints[typed.kind]
    context.addIssue({ code: 'custom', path: [guardFields[typed.kind]], message })
    return z.NEVER
  })
}

function rawCondition({ kind, at, hours, usd, minutes, days, process }: GuardDraft): unknown {
  switch (kind) {
    case 'at':
      return { kind, at: new Date(at).getTime() }
    case 'after':
      return { kind, hours: numberOf(hours) }
    case 'cost':
      return { kind, usd: numberOf(usd) }
    case 'idle':
      return { kind, minutes: numberOf(minutes) }
    case 'process':
      return { kind, name: process.trim() }
    case 'stopped':
      return { kind, days: numberOf(days) }
    default:
      return assertNever(kind)
  }
}

/** Not a number where it isn't clear which one was meant. */
function numberOf(text: string): number {
  return typedNumber(text) ?? Number.NaN
}

const hints = {
  at: 'Enter a date and time in the future.',
  after: 'Enter a number of hours above 0, such as 1.5.',
  cost: 'Enter an amount above $0, such as 0.5 or 1500.',
  idle: 'Enter 1 minute or more.',
  process: 'Enter one word without a path or quotes, such as train.py.',
  stopped: 'Enter a number of days above 0, up to 365.',
} as const satisfies Readonly<Record<GuardDraft['kind'], string>>
