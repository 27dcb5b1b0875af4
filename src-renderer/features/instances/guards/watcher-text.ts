import { assertNever } from '#domain/base/assert-never.ts'
import { actionWords } from '#domain/instances/action-words.ts'
import { counted } from '#domain/base/plural.ts'
import type { GuardView } from '#domain/guards/guard.ts'
import {
  isActive,
  isRefusedByService,
  watchedOf,
  type BusyReason,
  type WatchedGuard,
  type WatcherProblem,
  type WatcherRefusal,
  type WatcherView,
} from '#domain/guards/watcher.ts'
import { formatDuration, formatNumber, formatRelative } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/**
 * `Active; idle 12 of 30 min; heard from 40 s ago`: how a rule on the instance stands. What it was told before a change
 * that it did not take, it still does. `now` in ms.
 */
export function watchedText(
  guard: Pick<GuardView, 'id' | 'condition' | 'notBefore'>,
  watcher: WatcherView | null,
  now: number,
): string {
  const rule = watchedOf(guard.id, watcher)
  const heardAt = watcher?.heardAt ?? null
  if (watcher === null || rule === null || heardAt === null)
    return watcher === null || watcher.isLooking || (watcher.problem === null && watcher.heardAt !== null)
      ? 'Checking…'
      : `Not active: ${whyText(watcher.problem)}`
  const heard = `heard from ${formatRelative(heardAt, now)}`
  const far = farText(rule, now - heardAt)
  if (isRefusedByService(rule)) return `Can’t run: ${refusedText(rule)}; ${heard}`
  const reach = reachText(watcher.problem)
  if (rule.notBefore !== guard.notBefore) return `Still has its former rule; ${far}; ${heard}${reach}`
  if (!isActive(guard, watcher, now)) return `Not heard from for days; ${far}; ${heard}${reach}`
  return `Active; ${far}; ${heard}${reach}${watcher.isProven ? '' : `; ${unprovenText}`}`
}

const unprovenText = 'the service didn’t confirm the instance’s API key'

/** `Destroy in 2:00:00`: a rule that is removed here, and that its instance still has. `now` in ms. */
export function removedText(
  { action, condition, ...rule }: WatchedGuard,
  heardAt: number | null,
  now: number,
): string {
  const { verb } = actionWords[action]
  const sinceMs = heardAt === null ? 0 : now - heardAt
  switch (condition) {
    case 'idle':
      return `${verb} after ${formatNumber(rule.seconds / 60)} min idle`
    case 'process':
      return `${verb} when a process ends`
    case 'after':
      return `${verb} in ${formatDuration(Math.max(0, rule.leftSeconds * 1000 - sinceMs))}`
    default:
      return assertNever(condition)
  }
}

/** How one stands that is removed here. */
export function removedStandText({ isHeard }: WatchedGuard, isLooking: boolean): string {
  if (isLooking) return 'Removing…'
  return `Removed in Slipway. The instance ${isHeard ? 'still has it' : 'may still have it'}.`
}

function reachText(problem: WatcherProblem | null): string {
  switch (problem?.kind) {
    case 'not-connected':
      return '; can’t be reached now'
    case 'refused':
      return `; change refused: ${refusalText(problem.why)}`
    default:
      return ''
  }
}

function refusedText({ reply }: WatchedGuard): string {
  return `the service refuses the instance’s API key (${reply})`
}

function farText(
  { condition, phase, elapsedSeconds, seconds, leftSeconds, busy }: WatchedGuard,
  sinceMs: number,
): string {
  if (phase === 'acting') return 'in progress; the service hasn’t accepted the request yet'
  if (phase === 'done') return 'in progress'
  if (busy !== null) return busyText(busy)
  // Time has gone on since; what was idle may be so no more.
  const isCounted = condition === 'after' || phase === 'warned' || leftSeconds > seconds
  if (isCounted) return `${formatDuration(Math.max(0, leftSeconds * 1000 - sinceMs))} left`
  const far = `${formatNumber(Math.floor(elapsedSeconds / 60))} of ${formatNumber(seconds / 60)} min`
  switch (condition) {
    case 'idle':
      return `idle ${far}`
    case 'process':
      return `ended; waits ${far}`
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
    case 'process':
      return 'the process is running'
    case 'process-unseen':
      return 'waits for the process to start'
    case 'unmeasured-process':
      return 'its processes can’t be listed'
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
    case 'cost-unknown':
      return 'its cost is unknown: the service names no price'
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

/** What to do about an instance that doesn't watch its rules as it should; `null` while there is nothing to do. */
export function watcherProblemText(watcher: WatcherView | null): ProblemText | null {
  if (watcher === null || watcher.isLooking) return null
  const { problem } = watcher
  const hasRules = watcher.heardAt !== null && watcher.watched.length > 0
  const refused = watcher.watched.find(isRefusedByService)
  if (refused !== undefined && problem?.kind !== 'not-running')
    return {
      title: `The instance can’t ${refused.action} itself`,
      meaning: `Its rule is due and you’re still charged: ${refusedText(refused)}.`,
      nextStep: `${actionWords[refused.action].verb} the instance in Slipway.`,
    }
  if (problem === null || problem.kind === 'not-running')
    return problem === null && hasRules && !watcher.isProven ? unproven : null
  if (problem.kind === 'not-connected')
    return {
      title: 'Couldn’t reach the instance for its auto-stop rules',
      meaning: hasRules
        ? 'Rules that it has go on there. Changes you made since don’t apply yet.'
        : 'Its rules aren’t active, and you’re still charged.',
      nextStep: 'Open a terminal to see why SSH doesn’t connect, or check again.',
    }
  if (problem.kind === 'cost-unknown')
    return {
      title: 'A rule isn’t active',
      meaning:
        'The service names no price for the instance, so its cost is unknown, and you’re still charged.',
      nextStep: nextStepOf(problem),
    }
  if (hasRules)
    return {
      title: 'Couldn’t change the rules on the instance',
      meaning: `It still has its former rules, and they run: ${whyText(problem)}.`,
      nextStep: nextStepOf(problem),
    }
  return {
    title: 'Rules on the instance aren’t active',
    meaning: `They won’t run, and you’re still charged: ${whyText(problem)}.`,
    nextStep: nextStepOf(problem),
  }
}

const unproven: ProblemText = {
  title: 'The instance’s API key isn’t confirmed',
  meaning:
    'The service answered the instance’s key as it answers any wrong key, so it may refuse to stop or destroy the instance.',
  nextStep: 'Check the instance when the rule is due, or add the rule in Slipway.',
}

function nextStepOf(
  problem: Extract<WatcherProblem, { kind: 'refused' | 'not-understood' | 'cost-unknown' }>,
): string {
  if (problem.kind === 'cost-unknown')
    return 'Remove the rule, then add one with another condition, such as a number of hours.'
  if (problem.kind === 'not-understood') return 'Remove the rule, then add it in Slipway.'
  switch (problem.why) {
    case 'no-tool':
      return 'Install curl on the instance, or add the rule in Slipway.'
    case 'disk-full':
      return 'Delete files on the instance, then check again.'
    case 'no-key':
    case 'no-service':
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
