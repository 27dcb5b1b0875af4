import { fieldOf, knownNumber, knownText } from '#domain/fields/field-format.ts'
import { actionWords } from '#domain/instances/action-words.ts'
import { labelOf } from '#domain/instances/instance-label.ts'
import { isOverdue, outlookOf } from '#domain/instances/instance-status.ts'
import type { InstanceAction, WatchedInstance } from '#domain/instances/instance.ts'
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
        ? { tone: 'busy', label: 'Provisioning' }
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
  exited: 'Its container exited.',
  unknown: 'Its host stopped responding.',
  offline: 'Its host went offline.',
} as const

/** What a dead end means, for access and money; `null` for all others. */
export function deadEndText(instance: WatchedInstance): string | null {
  const outlook = outlookOf(instance.status)
  if (outlook.kind !== 'dead-end') return null
  return `${deadEndStory[outlook.status]} It won’t recover, and ${diskChargeText(instance)}. Destroy it, and rent another offer if you need one.`
}

/** What goes on for the disk of an instance that does not compute: `you’re still charged $0.02/h for its disk`. */
export function diskChargeText(instance: WatchedInstance): string {
  const { perHourUsd } = chargeOf({ status: 'stopped', record: instance.record })
  return perHourUsd === null
    ? 'you’re still charged for its disk (price unknown)'
    : `you’re still charged ${formatUsdPerHour(perHourUsd)} for its disk`
}

/** `downloading the image, 2:10` */
export function bootText({ stage, stageMs, overdue }: BootProgress): string {
  const words = stage === 'provisioning' ? 'Provisioning' : 'Downloading the image'
  return `${words}, ${formatDuration(stageMs)}${overdue ? ', longer than usual' : ''}`
}

/** What was asked of an instance and has not been seen to happen. */
export function pendingText(pending: InstanceAction, now: number): string {
  const { action, since, failure } = pending
  const asked = `${actionWords[action].verb} requested ${formatDuration(now - since)} ago`
  if (isOverdue(pending))
    return `${asked}, but had no effect: the service still lists it unchanged, and you’re still charged. Try again.`
  return failure === null
    ? `${asked}, not confirmed yet.`
    : `${asked}, but the service gave no clear answer. The list will show whether it happened. You can try again.`
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
