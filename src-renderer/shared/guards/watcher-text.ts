import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { GuardView } from '#domain/guards/guard.ts'
import type { BusyReason, WatcherProblem, WatcherRefusal, WatcherView } from '#domain/guards/watcher.ts'
import { formatDuration, formatNumber, formatRelative } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** Whether the instance watches over this rule, as far as Slipway knows. */
export function isWatched(
  guard: Pick<GuardView, 'id'>,
  watcher: WatcherView | null,
): watcher is WatcherView & { readonly heardAt: number } {
  return watcher !== null && watcher.heardAt !== null && watcher.watched.some(({ id }) => id === guard.id)
}

/** `Active; idle 12 of 30 min; heard from 40 s ago`: how a rule on the instance stands. `now` in ms. */
export function watchedText(
  guard: Pick<GuardView, 'id' | 'condition'>,
  watcher: WatcherView | null,
  now: number,
): string {
  if (!isWatched(guard, watcher))
    return watcher === null || watcher.isLooking ? 'Checking…' : `Not active: ${whyText(watcher.problem)}`
  const rule = watcher.watched.find(({ id }) => id === guard.id)
  const heard = `heard from ${formatRelative(watcher.heardAt, now)}`
  const reach = watcher.problem === null ? '' : '; can’t be reached now'
  return rule === undefined
    ? heard
    : `Active; ${farText(guard, rule, now - watcher.heardAt)}; ${heard}${reach}`
}

function farText(
  { condition }: Pick<GuardView, 'condition'>,
  { phase, elapsedSeconds, seconds, busy }: WatcherView['watched'][number],
  sinceMs: number,
): string {
  if (phase === 'acting') return 'in progress; the service hasn’t accepted the request yet'
  if (phase === 'done') return 'in progress'
  switch (condition.kind) {
    case 'idle':
      return busy === null
        ? `idle ${formatNumber(Math.floor(elapsedSeconds / 60))} of ${formatNumber(seconds / 60)} min`
        : busyText(busy)
    case 'after':
    case 'at':
    case 'cost':
    case 'stopped':
      // Time has gone on since; what was idle may be so no more.
      return `${formatDuration(Math.max(0, (seconds - elapsedSeconds) * 1000 - sinceMs))} left`
    default:
      return assertNever(condition)
  }
}

function busyText(busy: BusyReason): string {
  switch (busy) {
    case 'busy-gpu':
      return 'not idle: a GPU is in use'
    case 'login':
      return 'not idle: a terminal is open'
    case 'load':
      return 'not idle: its processors are in use'
    case 'job':
      return 'not idle: a job is running'
    case 'unmeasured':
      return 'not idle: its GPU use can’t be measured'
    case 'unmeasured-login':
      return 'not idle: open terminals can’t be detected'
    case 'unmeasured-load':
      return 'not idle: its processor use can’t be measured'
    default:
      return assertNever(busy)
  }
}

function whyText(problem: WatcherProblem | null): string {
  switch (problem?.kind) {
    case undefined:
      return 'not sent yet'
    case 'not-running':
      return 'the instance isn’t running'
    case 'not-connected':
      return 'SSH doesn’t connect'
    case 'not-understood':
      return 'the instance’s answer makes no sense'
    case 'refused':
      return refusalText(problem.why)
    default:
      return assertNever(problem)
  }
}

function refusalText(why: WatcherRefusal): string {
  switch (why) {
    case 'no-key':
      return 'the instance’s API key isn’t saved on this computer and can’t be read on the instance'
    case 'no-tool':
      return 'the instance has no curl, wget, or python3'
    case 'no-service':
      return 'the instance can’t reach the service'
    case 'refused':
      return 'the service refuses the instance’s API key'
    case 'read-only':
      return 'Slipway can’t write to the instance’s disk'
    case 'disk-full':
      return 'the instance’s disk is full'
    case 'no-proc':
      return 'the instance has no /proc'
    case 'bad-order':
      return 'the instance didn’t understand the rule'
    default:
      return assertNever(why)
  }
}

/** What to do about rules that an instance doesn't watch over; `null` while there is nothing to do. */
export function watcherProblemText(watcher: WatcherView | null): ProblemText | null {
  if (watcher === null || watcher.problem === null || watcher.isLooking) return null
  const { problem } = watcher
  if (problem.kind === 'not-running') return null
  if (problem.kind === 'not-connected')
    return {
      title: 'Couldn’t reach the instance for its auto-stop rules',
      meaning:
        watcher.heardAt === null
          ? 'Its rules aren’t active, and you’re still charged.'
          : 'Rules that it has go on there. Changes you made since don’t apply yet.',
      nextStep: 'Open a terminal to see why SSH doesn’t connect, or check again.',
    }
  return {
    title: 'Rules on the instance aren’t active',
    meaning: `They won’t run, and you’re still charged: ${whyText(problem)}.`,
    nextStep: nextStepOf(problem),
  }
}

function nextStepOf(problem: Extract<WatcherProblem, { kind: 'refused' | 'not-understood' }>): string {
  if (problem.kind === 'not-understood') return 'Remove the rule, then add it in Slipway.'
  switch (problem.why) {
    case 'no-tool':
      return 'Install curl on the instance, or add the rule in Slipway.'
    case 'disk-full':
      return 'Delete files on the instance, then check again.'
    case 'no-key':
    case 'no-service':
    case 'refused':
    case 'read-only':
    case 'no-proc':
    case 'bad-order':
      return 'Check again, or remove the rule and add it in Slipway.'
    default:
      return assertNever(problem.why)
  }
}

/** `1 more rule was set on the instance from another computer.`; `null` for none. */
export function foreignText(watcher: WatcherView | null): string | null {
  const count = watcher?.foreign ?? 0
  return count === 0 ? null : `${counted(count, 'more rule')} on the instance, set from another computer.`
}
