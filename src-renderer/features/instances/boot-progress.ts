import { startedAtMs } from '#domain/instances/instance-identity.ts'
import { outlookOf, typicalBootMs, type InstanceState } from '#domain/instances/instance-status.ts'

/** How far an instance is on its way to `running`; the service tells its stage, never a percentage. */
export interface BootProgress {
  readonly stage: 'provisioning' | 'loading'
  /** Time in this stage, as far as it has been seen. */
  readonly stageMs: number
  /** Time since it was rented. */
  readonly elapsedMs: number
  /** Elapsed time as a share of the longest typical boot, 0 to 1. */
  readonly share: number
  /** It takes longer than is typical. */
  readonly overdue: boolean
}

/** `null` when the instance is not booting. `now` in ms since the epoch. */
export function bootProgress(instance: InstanceState, now: number): BootProgress | null {
  const { record, history } = instance
  const outlook = outlookOf(instance)
  if (outlook.kind !== 'booting') return null
  const firstSeen = history.at(0)?.at ?? now
  const stageMs = Math.max(0, now - (history.at(-1)?.at ?? now))
  const elapsedMs = Math.max(stageMs, now - Math.min(startedAtMs(record) ?? firstSeen, firstSeen))
  return {
    stage: outlook.stage,
    stageMs,
    elapsedMs,
    share: Math.min(1, elapsedMs / typicalBootMs.to),
    overdue: elapsedMs > typicalBootMs.to,
  }
}
