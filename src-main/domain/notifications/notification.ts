import { wasMissed } from '../guards/guard.ts'
import type { ActionKind } from '../instances/instance.ts'
import type { RetryOutcome } from '../renting/retry.ts'
import { counted } from '../base/plural.ts'
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
    exited: 'ended: its container has exited',
    unknown: 'gives no sign of life',
    offline: 'went offline',
  }[status]
  return about(
    'trouble',
    instanceId,
    `Instance ${instanceId} ${what}`,
    'It will not come back by itself, and its disk is still charged. Destroy it.',
  )
}

export function overdueNotification(instanceId: number, action: ActionKind): Notification {
  return about(
    'trouble',
    instanceId,
    action === 'destroy'
      ? `Instance ${instanceId} was not destroyed`
      : `Instance ${instanceId} was not stopped`,
    'The service still lists it as before, and it is still charged. Ask again.',
  )
}

export function guardSoonNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  minutes: number,
): Notification {
  const deed = action === 'destroy' ? 'destroyed' : 'stopped'
  return about(
    'guard',
    instanceId,
    `Instance ${instanceId} will be ${deed} in ${counted(minutes, 'minute')}`,
    action === 'destroy'
      ? 'Its guard is due. Everything on its disk goes.'
      : 'Its guard is due. What runs on it ends.',
  )
}

export function guardFiredNotification(
  { instanceId, action }: { readonly instanceId: number; readonly action: ActionKind },
  when: { readonly dueAt: number; readonly firedAt: number },
): Notification {
  const verb = action === 'destroy' ? 'destroys' : 'stops'
  return about(
    'guard',
    instanceId,
    `A guard ${verb} instance ${instanceId}`,
    wasMissed(when)
      ? 'It was due while Slipway was closed or the machine slept, and acts now.'
      : 'It was due. The list will show when it is done.',
  )
}

export function guardDisownedNotification({ instanceId }: { readonly instanceId: number }): Notification {
  return about(
    'guard',
    instanceId,
    `A guard did not act on instance ${instanceId}`,
    'This id belongs to another machine than the one it was set for. Nothing guards it now.',
  )
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
        'No machine came to run',
        'As many were tried as you allowed. None is left to be charged.',
      )
    case 'no-offers':
      return failed(
        'No machine came to run',
        'There is no further offer within your limits. None is left to be charged.',
      )
    case 'out-of-time':
      return failed('No machine came to run in time', 'None is left to be charged.')
    case 'taken-over':
      return failed(
        'Slipway tries no further machines',
        `Instance ${outcome.instanceId} was stopped or destroyed by someone else.`,
      )
    case 'revived':
      return failed(
        `Instance ${outcome.instanceId} may run`,
        'Its state has changed, so Slipway does nothing more to it and rents nothing. It may be charged.',
      )
    case 'other-machine':
      return failed(
        `Instance ${outcome.instanceId} is on another machine than was rented`,
        'Slipway leaves it alone and rents nothing more. Look whether it is yours: it may be charged.',
      )
    case 'vanished':
      return failed(
        `Instance ${outcome.instanceId} is not in the list`,
        'It was rented and is not listed any more. Ask the service whether it’s charged.',
      )
    case 'ambiguous':
      return failed(
        'A rental needs your decision',
        'Its reply was lost, and more than one instance is new. Each of them may be charged.',
      )
    case 'request-lost':
      return failed(
        'Slipway tries no further machines',
        'What was to be rented could not be kept over the restart. None is left to be charged.',
      )
    case 'refused':
      return failed(
        'Slipway tries no further machines',
        'The service refused to rent. None is left to be charged.',
      )
  }
}

export function creditNotification(hours: number): Notification {
  return {
    kind: 'credit',
    title: `Your credit lasts about ${Math.max(0, Math.floor(hours))} hours`,
    body: 'Then the service may end your machines. Add credit, or stop what you do not need.',
    instanceId: null,
    path: '/instances',
  }
}

export function unattendedNotification(instanceId: number, hours: number): Notification {
  return about(
    'unattended',
    instanceId,
    `Instance ${instanceId} has run for ${Math.floor(hours)} hours with nobody connected`,
    'It is charged all the time. Stop or destroy it, or set a guard.',
  )
}
