import {
  alarmLine,
  alarmMeaning,
  manyAlarmsText,
  type FiguresAlarm,
  type FiguresAlarmKind,
} from '../figures/figures-alarm.ts'
import { wasMissed } from '../guards/guard.ts'
import { actionWords } from '../instances/action-words.ts'
import type { ActionKind } from '../instances/instance.ts'
import type { KeptReason, RetryOutcome } from '../renting/retry.ts'
import { counted } from '../base/plural.ts'
import { formatUsd } from '../money/money.ts'
import type { NotificationKind } from '../settings/notification-settings.ts'

/** One thing for the desktop to tell. */
export interface Notification {
  readonly kind: NotificationKind
  readonly title: string
  readonly body: string
  /** Whose label heads it. */
  readonly instanceId: number | null
  /** The page that a click leads to. */
  readonly path: string
}

const pageOf = (instanceId: number): string => `/instances/${instanceId}`

function about(kind: NotificationKind, instanceId: number, title: string, body: string): Notification {
  return { kind, title, body, instanceId, path: pageOf(instanceId) }
}

export function runningNotification(instanceId: number): Notification {
  return about('running', instanceId, `Instance ${instanceId} is running`, 'You can connect to it now.')
}

export function deadEndNotification(
  instanceId: number,
  status: 'exited' | 'unknown' | 'offline',
): Notification {
  const what = {
    exited: 'ended: its container exited',
    unknown: 'stopped responding',
    offline: 'went offline',
  }[status]
  return about(
    'trouble',
    instanceId,
    `Instance ${instanceId} ${what}`,
    'It won’t recover, and you’re still charged for its disk. Destroy it.',
  )
}

export function overdueNotification(instanceId: number, action: ActionKind): Notification {
  return about(
    'trouble',
    instanceId,
    `Instance ${instanceId} wasn’t ${actionWords[action].done}`,
    'The service still lists it, and you’re still charged. Try again.',
  )
}

/** What an auto-stop rule is about to do. */
const ruleEffects: Readonly<Record<ActionKind, string>> = {
  stop: 'Auto-stop rule: running processes will end.',
  destroy: 'Auto-stop rule: everything on its disk will be deleted.',
}

export function guardSoonNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  minutes: number,
): Notification {
  return about(
    'guard',
    instanceId,
    `Instance ${instanceId} will be ${actionWords[action].done} in ${counted(minutes, 'minute')}`,
    ruleEffects[action],
  )
}

/** About a limit on what all instances cost together. */
function aboutLimit(title: string, body: string): Notification {
  return { kind: 'guard', title, body, instanceId: null, path: '/instances' }
}

export function limitSoonNotification(usd: number): Notification {
  return aboutLimit(
    'All instances will be stopped in 10 minutes',
    `Together they reach your cost limit of $${usd}. To let them run, change or remove the limit.`,
  )
}

/** @param uncounted instances whose cost isn't known, and among them those whose record can't be read */
export function limitReachedNotification(usd: number, running: number, uncounted: number): Notification {
  const stops = running === 0 ? 'No instance is running.' : `Slipway stops ${counted(running, 'instance')}.`
  const gap =
    uncounted === 0
      ? ''
      : ` ${counted(uncounted, 'instance')} without a known price may still run: check the list.`
  return aboutLimit(
    `Cost limit of $${usd} reached`,
    `${stops}${gap} You’re still charged for disks, and the limit is removed.`,
  )
}

export function limitUnsavedNotification(usd: number): Notification {
  return aboutLimit(
    `Cost limit of $${usd} reached, but instances still run`,
    'Slipway can’t write to its folder, so it stops nothing, and you’re still charged. Stop the instances yourself.',
  )
}

export function guardFiredNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  when: { readonly dueAt: number; readonly firedAt: number },
): Notification {
  return about(
    'guard',
    instanceId,
    `Auto-stop rule ${actionWords[action].does} instance ${instanceId}`,
    wasMissed(when)
      ? 'The rule was missed while Slipway was closed or this computer slept, so it runs now.'
      : 'The list of instances shows when it’s done.',
  )
}

export function guardDisownedNotification({ instanceId }: { readonly instanceId: number }): Notification {
  return about(
    'guard',
    instanceId,
    `Auto-stop rule didn’t run on instance ${instanceId}`,
    'The ID now belongs to another instance than the rule was set for. This instance has no rule.',
  )
}

/** An instance has acted by itself; `seen`: it's as it should be since, and didn't say whose doing that is. */
export function guardRanNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  outcome: 'done' | 'seen',
): Notification {
  const { done, state, charges } = actionWords[action]
  return about(
    'guard',
    instanceId,
    `Instance ${instanceId} ${outcome === 'seen' ? `is ${state}` : `${done} itself`}`,
    `Its auto-stop rule ${outcome === 'seen' ? 'was due' : 'ran'}. ${charges}`,
  )
}

export function guardPassedNotification({ instanceId }: { readonly instanceId: number }): Notification {
  return about(
    'guard',
    instanceId,
    `Auto-stop rule didn’t run on instance ${instanceId}`,
    'The rule was due while the instance was stopped. The instance now runs without this rule, and you’re charged.',
  )
}

/** An instance can't act, as the service says no to its own key. */
export function guardRefusedNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  reply: number,
): Notification {
  return about(
    'guard',
    instanceId,
    `Instance ${instanceId} can’t ${action} itself`,
    `Its auto-stop rule is due, but the service refuses the instance’s API key (${reply}). You’re still charged: ${action} it in Slipway.`,
  )
}

/** A rule that was to run on an instance still doesn't. `question`: SSH waits for the user's answer. */
export function guardInactiveNotification(
  instanceId: number,
  why: 'question' | 'not-connected' | 'refused' | 'cost-unknown',
): Notification {
  const next = {
    question: 'SSH needs your answer, such as about its host key. Open the instance’s page and answer.',
    'not-connected':
      'SSH doesn’t connect. Open a terminal on the instance to see why, or add the rule in Slipway.',
    refused: 'The instance can’t run it. Open the instance’s page to see why, or add the rule in Slipway.',
    'cost-unknown': 'The service names no price for the instance. Add a rule with another condition.',
  }[why]
  return about(
    'guard',
    instanceId,
    `Auto-stop rule isn’t active on instance ${instanceId}`,
    `You’re charged while the instance runs. ${next}`,
  )
}

/** Why nothing could be rented in the place of an instance that was to be replaced. */
const keptReasons: Readonly<Record<KeptReason, string>> = {
  'out-of-time': 'The time of this auto-retry was up before the instance was destroyed.',
  'request-lost': 'What to rent in its place was lost in the restart, for want of a keychain.',
  'no-offers': 'No offer is within your limits.',
}

/** `null`: it ended as its user wanted and knows. */
export function retryNotification(outcome: RetryOutcome): Notification | null {
  const failed = (title: string, body: string): Notification => ({
    kind: 'trouble',
    title,
    body,
    instanceId: null,
    path: '/instances',
  })
  switch (outcome.kind) {
    case 'running':
    case 'stopped':
      return null
    case 'exhausted':
      return failed(
        'No instance started',
        'All attempts that you allowed failed. You aren’t charged for any of them.',
      )
    case 'no-offers':
      return failed(
        'No instance started',
        'No other offer is within your limits. You aren’t charged for any attempt.',
      )
    case 'out-of-time':
      return failed('No instance started in time', 'You aren’t charged for any attempt.')
    case 'taken-over':
      return failed(
        'Auto-retry ended',
        `Instance ${outcome.instanceId} was stopped or destroyed by someone else.`,
      )
    case 'revived':
      return failed(
        `Instance ${outcome.instanceId} may run`,
        'Its state has changed, so Slipway does nothing more to it and rents nothing. It may be charged.',
      )
    case 'kept':
      return failed(
        `Instance ${outcome.instanceId} wasn’t replaced`,
        `Instance ${outcome.instanceId} was kept, and you’re still charged for it. ${keptReasons[outcome.why]} Nothing was rented.`,
      )
    case 'other-machine':
      return failed(
        `Instance ${outcome.instanceId} is on another machine than the one rented`,
        'Slipway leaves it alone and rents nothing more. Check whether it’s yours: you may be charged.',
      )
    case 'vanished':
      return failed(
        `Instance ${outcome.instanceId} isn’t in the list`,
        'It was rented and isn’t listed anymore. Ask the service whether you’re charged for it.',
      )
    case 'ambiguous':
      return failed(
        'A rental needs your decision',
        'Its reply was lost, and more than one instance is new. You may be charged for each.',
      )
    case 'request-lost':
      return failed(
        'Auto-retry ended',
        'The rental request was lost in the restart. You aren’t charged for any attempt.',
      )
    case 'refused':
      return failed('Auto-retry ended', 'The service refused the rental. You aren’t charged for any attempt.')
  }
}

export function creditNotification(hours: number): Notification {
  return {
    kind: 'credit',
    title: `Credit lasts about ${counted(Math.max(0, Math.floor(hours)), 'hour')}`,
    body: 'When credit runs out, the service may end your rentals. Add credit or stop an instance.',
    instanceId: null,
    path: '/instances',
  }
}

/** So many percent of a month's budget are spent. */
export function budgetNotification(percent: number, usd: number, spentUsd: number): Notification {
  return {
    kind: 'credit',
    title: percent >= 100 ? 'This month’s budget is spent' : `${percent}% of this month’s budget is spent`,
    body: `Slipway counted ${formatUsd(spentUsd)} of ${formatUsd(usd)}. The budget stops nothing: you’re still charged for what runs.`,
    instanceId: null,
    path: '/spending',
  }
}

export function unattendedNotification(instanceId: number, hours: number): Notification {
  return about(
    'unattended',
    instanceId,
    `No connection to instance ${instanceId} for ${counted(Math.floor(hours), 'hour')}`,
    'You’re charged while it runs. Stop or destroy it, or add an auto-stop rule.',
  )
}

export function figuresNotification(
  instanceId: number,
  alarm: FiguresAlarm,
  { perHourUsd, now }: { readonly perHourUsd: number | null; readonly now: number },
): Notification {
  const title = `Instance ${instanceId}: ${alarmLine(alarm, perHourUsd, now)}`
  return about(alarm.kind, instanceId, title, alarmMeaning(alarm))
}

/** @param count of instances, above 1 */
export function manyFiguresNotification(kind: FiguresAlarmKind, count: number): Notification {
  const { title, text } = manyAlarmsText(kind, count)
  return { kind, title, body: text, instanceId: null, path: '/instances' }
}

/** What Slipway found there is less than what was offered, or something else; or nothing of its GPUs can be found out. */
export function machineNotification(instanceId: number, what: 'differs' | 'gpu-tool-fails'): Notification {
  const [title, next] =
    what === 'differs'
      ? [
          `Instance ${instanceId} isn’t what was offered`,
          'Its page shows what differs. Keep it, or destroy it and find another.',
        ]
      : [
          `The GPU tool of instance ${instanceId} fails`,
          'Its GPUs may not work. Check it again on its page, or destroy it.',
        ]
  return about('machine', instanceId, title, `You’re charged while it runs. ${next}`)
}
