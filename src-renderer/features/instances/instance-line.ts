import { startedAtMs } from '#domain/instances/instance-identity.ts'
import { awaitedAction, isHalted, outlookOf, type InstanceState } from '#domain/instances/instance-status.ts'
import type { ActionKind, WatchedInstance } from '#domain/instances/instance.ts'
import { chargeOf, costSoFar } from '#domain/money/money.ts'
import { sshAddressesOf } from '#domain/ssh/ssh-address.ts'
import { formatSeconds, formatSpentUsd, formatUsdPerHour, unknown } from '#ui/format.ts'
import { bootProgress } from './boot-progress.ts'
import type { DisabledReasons } from './disabled-reasons.ts'
import { bootText, deadEndText, instanceStatusText, pendingText } from './instance-text.ts'

const nothingOff: DisabledReasons = { off: null, stale: null }

/**
 * How an instance stands in the list at a time.
 *
 * @param now ms since the epoch
 */
export function instanceLine(instance: WatchedInstance, now: number, reasons = nothingOff) {
  const boot = bootProgress(instance, now)
  const status = instanceStatusText(instance)
  return {
    status,
    boot,
    statusLabel: boot === null ? status.label : bootText(boot),
    note: noteOf(instance, now),
    actions: actionsOf(instance, reasons),
  }
}

/** Its state in words; while it boots, the stage and its time. */
export function statusLabelOf(instance: WatchedInstance, now: number): string {
  const boot = bootProgress(instance, now)
  return boot === null ? instanceStatusText(instance).label : bootText(boot)
}

export function ageText({ record }: WatchedInstance, now: number): string {
  const startedAt = startedAtMs(record)
  return startedAt === null ? unknown : formatSeconds(Math.max(0, (now - startedAt) / 1000))
}

/** What is charged for it now. */
export function chargeText(instance: WatchedInstance): string {
  return formatUsdPerHour(chargeOf(instance).perHourUsd)
}

export function costText(instance: WatchedInstance, now: number): string {
  const cost = costSoFar(instance, now)
  if (cost === null) return unknown
  const text = formatSpentUsd(cost.usd)
  return cost.atMost && !text.startsWith('<') ? `≤ ${text}` : text
}

/** Whether there is a second line below an instance: it changes the height of its row. */
export function hasNote(instance: WatchedInstance): boolean {
  return instance.pending !== null || outlookOf(instance).kind === 'dead-end'
}

function noteOf(instance: WatchedInstance, now: number): string | null {
  return instance.pending === null ? deadEndText(instance) : pendingText(instance.pending, now)
}

/** Why each action can't be done now; `null` when it can. */
export type ActionBlocks = Readonly<Record<ActionKind | 'terminal', string | null>>

/** What can be done now; a text says why not. */
export function actionsOf(instance: WatchedInstance, { off, stale }: DisabledReasons): ActionBlocks {
  const terminal = reachBlock(instance, stale)
  if (off !== null) return { terminal, stop: off, destroy: off }
  const waits = awaitedAction(instance)
  return {
    terminal,
    stop:
      waits !== null ? 'Waiting for the service' : isHalted(instance) ? 'The instance isn’t running' : null,
    destroy: waits === 'destroy' ? 'Waiting for the service' : null,
  }
}

/**
 * Why nothing can log in to it now; `null` when it can be tried.
 *
 * @param stale why the list isn't of now (`staleReason`)
 */
export function reachBlock(instance: InstanceState, stale: string | null): string | null {
  const hasAddress = sshAddressesOf(instance.record).preferred !== null
  if (stale !== null) return hasAddress ? null : `${stale}, and no SSH address is known`
  if (outlookOf(instance).kind === 'booting') return 'The instance isn’t running yet'
  if (isHalted(instance)) return 'The instance isn’t running'
  return hasAddress ? null : 'The instance has no SSH address'
}
