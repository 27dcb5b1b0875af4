import { actionWords } from '#domain/instances/action-words.ts'
import { labelOf } from '#domain/instances/instance-label.ts'
import {
  isOverdue,
  outlookOf,
  statusOutlook,
  type InstanceState,
  type Outlook,
} from '#domain/instances/instance-status.ts'
import type { InstanceAction, WatchedInstance } from '#domain/instances/instance.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { diskPerHourUsd } from '#domain/money/money.ts'
import { formatDuration, formatUsdPerHour } from '#ui/format.ts'
import type { Mark } from '#ui/tone.ts'
import type { BootProgress } from './boot-progress.ts'

/** How something stands in a word; a status that the API does not describe is shown as it is. */
function outlookText(outlook: Outlook): Mark {
  switch (outlook.kind) {
    case 'booting':
      return outlook.stage === 'provisioning'
        ? { tone: 'busy', label: 'Provisioning' }
        : { tone: 'busy', label: 'Downloading the image', icon: 'i-lucide-download' }
    case 'ready':
      return { tone: 'good', label: 'Running' }
    case 'stopped':
      return stoppedText
    case 'dead-end':
      return { tone: 'bad', label: deadEndLabel[outlook.status] }
    case 'undescribed':
      return { tone: 'neutral', label: outlook.status === '' ? 'No status' : outlook.status }
  }
}

export const stoppedText: Mark = { tone: 'neutral', label: 'Stopped' }

/** A status that is told without its instance, as of the past. */
export function statusText(status: string | null): Mark {
  return outlookText(statusOutlook(status))
}

export function instanceStatusText(instance: InstanceState): Mark {
  return outlookText(outlookOf(instance))
}

/** The words for its history. What the record lists says something of an end that is still so, and of nothing before. */
export function historyMarks({ record, history }: InstanceState): readonly Mark[] {
  return history.map(({ status }, index) => {
    const isLastEnd = index === history.length - 1 && statusOutlook(status).kind === 'dead-end'
    return instanceStatusText({
      status,
      record: isLastEnd ? record : {},
      history: history.slice(0, index + 1),
    })
  })
}

const deadEndLabel = { exited: 'Exited', unknown: 'No heartbeat', offline: 'Offline' } as const

const deadEndStory = {
  exited: 'Its container exited.',
  unknown: 'Its host stopped responding.',
  offline: 'Its host went offline.',
} as const

/** What a dead end means, for access and money; `null` for all others. */
export function deadEndText(instance: WatchedInstance): string | null {
  const outlook = outlookOf(instance)
  if (outlook.kind !== 'dead-end') return null
  return `${deadEndStory[outlook.status]} It won’t recover, and ${diskChargeText(instance)}. Destroy it, and rent another offer if you need one.`
}

/** What goes on for the disk of an instance that does not compute: `you’re still charged $0.02/h for its disk`. */
export function diskChargeText(instance: WatchedInstance): string {
  const perHourUsd = diskPerHourUsd(instance.record)
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

/** How an instance is headed: its label, else its id. */
export function titleOf(instance: ListedInstance): string {
  return labelOf(instance) ?? `Instance ${instance.id}`
}

/** How an instance is spoken of in a sentence. */
export function nameOf(instance: ListedInstance): string {
  return labelOf(instance) ?? `instance ${instance.id}`
}
