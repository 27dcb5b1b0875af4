import { z } from 'zod'
import { assertNever } from '#domain/base/assert-never.ts'
import { guardCondition, guardKinds, type GuardCondition } from '#domain/guards/guard.ts'

const draft = z.object({
  kind: z.enum(guardKinds),
  /** `2026-11-21T18:00`, in the time of this machine. */
  at: z.string(),
  hours: z.string(),
  usd: z.string(),
  minutes: z.string(),
})
/** What is typed for a guard; each kind keeps its own text. */
export type GuardDraft = z.infer<typeof draft>

/** What is typed for each kind. */
export const guardFields = {
  after: 'hours',
  at: 'at',
  cost: 'usd',
  idle: 'minutes',
} as const satisfies Readonly<Record<GuardDraft['kind'], keyof GuardDraft>>

/** The condition that a draft asks for, or what is wrong with it. @param now in ms since the epoch */
export function guardDraft(now: () => number): z.ZodType<GuardCondition, GuardDraft> {
  return draft.transform((typed, context): GuardCondition => {
    const parsed = guardCondition.safeParse(rawCondition(typed))
    const isPast = parsed.data?.kind === 'at' && parsed.data.at <= now()
    if (parsed.success && !isPast) return parsed.data
    const message = isPast ? 'This time has passed.' : hints[typed.kind]
    context.addIssue({ code: 'custom', path: [guardFields[typed.kind]], message })
    return z.NEVER
  })
}

function rawCondition({ kind, at, hours, usd, minutes }: GuardDraft): unknown {
  switch (kind) {
    case 'at':
      return { kind, at: new Date(at).getTime() }
    case 'after':
      return { kind, hours: numberOf(hours) }
    case 'cost':
      return { kind, usd: numberOf(usd) }
    case 'idle':
      return { kind, minutes: numberOf(minutes) }
    default:
      return assertNever(kind)
  }
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

const hints = {
  at: 'A date and a time to come.',
  after: 'A number of hours above 0.',
  cost: 'An amount in dollars above 0.',
  idle: 'A number of minutes from 1.',
} as const satisfies Readonly<Record<GuardDraft['kind'], string>>
