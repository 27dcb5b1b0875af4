import { z } from 'zod'
import { outlookOf } from '../instances/instance-status.ts'
import type { WatchedInstance } from '../instances/instance.ts'
import { burnPerHourUsd, runwayHours } from '../money/money.ts'
import type { NotificationSettings } from '../settings/notification-settings.ts'

/** What should be looked after before it costs more. */
export const alarms = z.object({
  /** For how many hours the credit lasts, when that is too short. */
  creditHours: z.number().nullable(),
  /** Running, and nobody was connected from here since (ms since the epoch). */
  unattended: z.array(z.object({ instanceId: z.number().int(), since: z.number() })).readonly(),
})
export type Alarms = z.infer<typeof alarms>

export const noAlarms: Alarms = { creditHours: null, unattended: [] }

export function alarmsOf({
  instances,
  creditUsd,
  attendedAt,
  settings,
  now,
}: {
  readonly instances: readonly WatchedInstance[]
  readonly creditUsd: number | null | undefined
  /** When somebody was last connected; `null` while somebody is. */
  readonly attendedAt: (instanceId: number) => number | null
  readonly settings: Pick<NotificationSettings, 'creditHours' | 'unattendedHours'>
  readonly now: number
}): Alarms {
  const hours = runwayHours(creditUsd, burnPerHourUsd(instances))
  return {
    creditHours: hours !== null && hours < settings.creditHours ? hours : null,
    unattended: instances.flatMap((instance) => {
      const { id } = instance
      const since = outlookOf(instance).kind === 'ready' ? attendedAt(id) : null
      const isTooLong = since !== null && now - since >= settings.unattendedHours * 3_600_000
      return isTooLong ? [{ instanceId: id, since }] : []
    }),
  }
}
