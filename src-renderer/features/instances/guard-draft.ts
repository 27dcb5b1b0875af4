import { guardCondition, type GuardCondition } from '#domain/guards/guard.ts'

/** What is typed for a guard; each kind keeps its own text. */
export interface GuardDraft {
  readonly kind: GuardCondition['kind']
  /** `2026-11-21T18:00`, in the time of this machine. */
  readonly at: string
  readonly hours: string
  readonly usd: string
  readonly minutes: string
}

/** The condition that a draft asks for, or what is wrong with it. `now` in ms since the epoch. */
export function conditionOf(
  draft: GuardDraft,
  now: number,
): { readonly ok: true; readonly condition: GuardCondition } | { readonly ok: false; readonly why: string } {
  const parsed = guardCondition.safeParse(rawCondition(draft))
  if (!parsed.success) return { ok: false, why: hints[draft.kind] }
  if (parsed.data.kind === 'at' && parsed.data.at <= now) return { ok: false, why: 'This time has passed.' }
  return { ok: true, condition: parsed.data }
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
} as const
