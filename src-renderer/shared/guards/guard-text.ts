import { assertNever } from '#domain/base/assert-never.ts'
import { wasMissed, type FiredGuard, type GuardCondition, type GuardView } from '#domain/guards/guard.ts'
import { formatDuration, formatExact, formatNumber, formatUsd } from '#ui/format.ts'

/** `after 3 h`, `at $12.00`: when a guard acts, as it was set. */
export function conditionText(condition: GuardCondition): string {
  switch (condition.kind) {
    case 'at':
      return `at ${formatExact(condition.at)}`
    case 'after':
      return `${formatNumber(condition.hours, 2)} h after it was set`
    case 'cost':
      return `when it has cost ${formatUsd(condition.usd)}`
    case 'idle':
      return `when nobody has been connected from here for ${formatNumber(condition.minutes)} min`
    default:
      return assertNever(condition)
  }
}

/** `Destroy it 3 h after it was set`. */
export function guardText({ action, condition }: Pick<GuardView, 'action' | 'condition'>): string {
  return `${action === 'destroy' ? 'Destroy' : 'Stop'} it ${conditionText(condition)}`
}

/** How a guard stands now, in a few words. `now` in ms. */
export function guardStandText({ state, dueAt }: Pick<GuardView, 'state' | 'dueAt'>, now: number): string {
  if (state.kind === 'acting') return 'acting now'
  if (dueAt === null) return 'not due'
  return dueAt <= now ? 'due' : `in ${formatDuration(dueAt - now)}`
}

/** What a guard has done, for the banner. */
export function firedGuardText(fired: FiredGuard): { readonly title: string; readonly text: string } {
  const { instanceId, action, outcome, dueAt, firedAt } = fired
  const deed = action === 'destroy' ? 'destroyed' : 'stopped'
  const rule = `It was set to ${action} it ${conditionText(fired.condition)}.`
  const late = wasMissed(fired)
    ? ` It was due at ${formatExact(dueAt)}, while Slipway was closed or the machine slept, and acted ${formatDuration(firedAt - dueAt)} later.`
    : ''
  const money = action === 'stop' ? ' Its disk is still charged.' : ' Its billing has ended.'
  switch (outcome) {
    case 'done':
      return { title: `A guard has ${deed} instance ${instanceId}`, text: `${rule}${late}${money}` }
    case 'not-needed':
      return { title: `A guard found instance ${instanceId} stopped already`, text: `${rule}${late}${money}` }
    case 'other-instance':
      return {
        title: `A guard did not act on instance ${instanceId}`,
        text: `This id belongs to another machine than the one the guard was set for. It is charged as listed, and this guard is gone. Set another one if you want it guarded.`,
      }
    default:
      return assertNever(outcome)
  }
}
