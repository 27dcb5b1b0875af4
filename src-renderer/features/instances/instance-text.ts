import { fieldOf, knownNumber, knownText } from '#domain/fields/field-format.ts'
import { labelOf } from '#domain/instances/instance-label.ts'
import { isOverdue, outlookOf } from '#domain/instances/instance-status.ts'
import type { ActionKind, InstanceAction, WatchedInstance } from '#domain/instances/instance.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { chargeOf, isStopped } from '#domain/money/money.ts'
import { formatDuration, formatUsdPerHour } from '#ui/format.ts'
import type { Mark } from '#ui/tone.ts'
import type { BootProgress } from './boot-progress.ts'

/** An instance's state in a word; a status that the API does not describe is shown as it is. */
export function statusText(status: string | null): Mark {
  const outlook = outlookOf(status)
  switch (outlook.kind) {
    case 'booting':
      return outlook.stage === 'provisioning'
        ? { tone: 'busy', label: 'Being provisioned' }
        : { tone: 'busy', label: 'Downloading the image', icon: 'i-lucide-download' }
    case 'ready':
      return { tone: 'good', label: 'Running' }
    case 'dead-end':
      return { tone: 'bad', label: deadEndLabel[outlook.status] }
    case 'undescribed':
      return { tone: 'neutral', label: undescribedLabel(outlook.status) }
  }
}

/** The same of an instance: also stopped where the status goes on saying otherwise, and the listed state says so. */
export function instanceStatusText({ status, record }: WatchedInstance): Mark {
  const isDead = outlookOf(status).kind === 'dead-end'
  return statusText(!isDead && isStopped({ status, record }) ? 'stopped' : status)
}

function undescribedLabel(status: string): string {
  // The one that Slipway itself asks for reads like its neighbors.
  if (status === 'stopped') return 'Stopped'
  return status === '' ? 'No status' : status
}

const deadEndLabel = { exited: 'Exited', unknown: 'No heartbeat', offline: 'Offline' } as const

const deadEndStory = {
  exited: 'Its container ended.',
  unknown: 'Its host sends no sign of life.',
  offline: 'Its host was disconnected.',
} as const

/** What a dead end means, for access and money; `null` for all others. */
export function deadEndText(instance: WatchedInstance): string | null {
  const outlook = outlookOf(instance.status)
  if (outlook.kind !== 'dead-end') return null
  return `${deadEndStory[outlook.status]} It will not come back by itself, and its disk is ${diskCharge(instance)}. Destroy it, and take another offer if you need one.`
}

/** What goes on for the disk of an instance that does not compute: `still charged $0.02/h`. */
export function diskCharge(instance: WatchedInstance): string {
  const { perHourUsd } = chargeOf({ status: 'stopped', record: instance.record })
  return perHourUsd === null
    ? 'still charged (the service names no rate)'
    : `still charged ${formatUsdPerHour(perHourUsd)}`
}

/** `downloading the image, 2:10` */
export function bootText({ stage, stageMs, overdue }: BootProgress): string {
  const words = stage === 'provisioning' ? 'Being provisioned' : 'Downloading the image'
  return `${words}, ${formatDuration(stageMs)}${overdue ? ', longer than usual' : ''}`
}

const actionNames: Readonly<Record<ActionKind, string>> = { stop: 'Stop', destroy: 'Destroy' }

/** What was asked of an instance and has not been seen to happen. */
export function pendingText(pending: InstanceAction, now: number): string {
  const { action, since, failure } = pending
  const asked = `${actionNames[action]} was asked for ${formatDuration(now - since)} ago`
  if (isOverdue(pending))
    return `${asked}, and did not take: the service lists it as before, and it is charged as before. Ask again.`
  return failure === null
    ? `${asked}, not yet confirmed.`
    : `${asked}, but no good answer came. The list will show whether it happened; you may ask again.`
}

/** What a person calls the machine: `2 × RTX 4090`. */
export function modelText({ record }: WatchedInstance): string | null {
  const model = knownText(fieldOf(record, 'gpu_name'))
  const many = knownNumber(fieldOf(record, 'num_gpus'))
  if (model === null) return null
  return many === null ? model : `${many} × ${model}`
}

/** How an instance is headed: its label, else its id. */
export function titleOf(instance: ListedInstance): string {
  return labelOf(instance) ?? `Instance ${instance.id}`
}

/** How an instance is spoken of in a sentence. */
export function nameOf(instance: ListedInstance): string {
  return labelOf(instance) ?? `instance ${instance.id}`
}
