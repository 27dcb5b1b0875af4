import { assertNever } from '#domain/base/assert-never.ts'
import { wasMissed, type FiredGuard, type GuardView } from '#domain/guards/guard.ts'
import { actionWords } from '#domain/instances/action-words.ts'
import { plural } from '#domain/base/plural.ts'
import { formatDuration, formatExact, formatNumber, formatUsd } from '#ui/format.ts'

/** `3 h after the rule was set`: when an auto-stop rule runs. */
export function conditionText({ condition, place }: Pick<GuardView, 'condition' | 'place'>): string {
  switch (condition.kind) {
    case 'at':
      return `at ${formatExact(condition.at)}`
    case 'after':
      return `${formatNumber(condition.hours, 2)} h after the rule was set`
    case 'cost':
      return `when the cost reaches ${formatUsd(condition.usd)}`
    case 'idle':
      return place === 'instance'
        ? `after ${formatNumber(condition.minutes)} min idle`
        : `after ${formatNumber(condition.minutes)} min with no connection from this computer`
    case 'process':
      return `when “${condition.name}” ends`
    case 'limit':
      return `when all instances together cost ${formatUsd(condition.usd)}`
    case 'stopped':
      return `once stopped for ${formatNumber(condition.days, 2)} ${plural(condition.days, 'day')}`
    default:
      return assertNever(condition)
  }
}

/** `Destroy 3 h after the rule was set`. */
export function guardText(guard: Pick<GuardView, 'action' | 'condition' | 'place'>): string {
  return `${actionWords[guard.action].verb} ${conditionText(guard)}`
}

/** How an auto-stop rule stands now, in a few words. `now` in ms. */
export function guardStandText(
  { state, dueAt, condition }: Pick<GuardView, 'state' | 'dueAt' | 'condition'>,
  now: number,
): string {
  if (state.kind === 'acting') return 'in progress'
  if (dueAt === null) return condition.kind === 'stopped' ? 'not stopped now' : 'not scheduled'
  return dueAt <= now ? 'due now' : `in ${formatDuration(dueAt - now)}`
}

/** What an auto-stop rule has done, for the banner. */
export function firedGuardText(fired: FiredGuard): { readonly title: string; readonly text: string } {
  const { instanceId, action, outcome, dueAt, firedAt } = fired
  const { done, state, charges } = actionWords[action]
  const rule = `Rule: ${guardText(fired)}.`
  const late = wasMissed(fired)
    ? ` It was due at ${formatExact(dueAt)} and ran ${formatDuration(firedAt - dueAt)} late: Slipway was closed, this computer slept, or the service didn’t answer.`
    : ''
  switch (outcome) {
    case 'done':
      if (fired.place === 'instance')
        return {
          title: `Instance ${instanceId} ${done} itself${fired.ranAt === null ? '' : ` at ${formatExact(fired.ranAt)}`}`,
          text: `${rule} ${fired.ranAt === null ? `${whenText(fired)} ` : ''}${charges}`,
        }
      return { title: `Auto-stop rule ${done} instance ${instanceId}`, text: `${rule}${late} ${charges}` }
    case 'not-needed':
      return {
        title: `Auto-stop rule: instance ${instanceId} was already stopped`,
        text: `${rule}${late} ${charges}`,
      }
    case 'seen':
      return {
        title: `Instance ${instanceId} is ${state}`,
        text: `${rule} ${whenText(fired)} The instance hasn’t said whether the rule or someone else ${done} it. ${charges}`,
      }
    case 'passed':
      return {
        title: `Auto-stop rule didn’t run on instance ${instanceId}`,
        text: `${rule} It was due at ${formatExact(dueAt)}, while the instance was stopped. The instance now runs without this rule, and you’re charged. Add a rule if you need one.`,
      }
    case 'other-instance':
      return {
        title: `Auto-stop rule didn’t run on instance ${instanceId}`,
        text: 'The ID now belongs to another instance than the rule was set for. You’re charged for this instance as listed, and it has no rule. Add a rule if you need one.',
      }
    default:
      return assertNever(outcome)
  }
}

/** When it was due; of what depends on its use, that is by what the instance said last. */
function whenText({ condition, dueAt }: FiredGuard): string {
  const time = formatExact(dueAt)
  switch (condition.kind) {
    case 'idle':
      return `It was due at ${time} if the instance stayed idle.`
    case 'process':
      return `It was due at ${time} if the process didn’t run again.`
    case 'after':
    case 'at':
    case 'cost':
    case 'limit':
    case 'stopped':
      return `It was due at ${time}.`
    default:
      return assertNever(condition)
  }
}
