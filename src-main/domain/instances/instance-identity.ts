import { z } from 'zod'
import { fieldOf, knownNumber, knownRate, type FieldRecord } from '../fields/field-format.ts'

/**
 * What tells an instance from another one that the service lists under the same id later. The API does not say
 * that an id is never given again, and what destroys must not rely on it. `null` for what is not known.
 */
export const instanceIdentity = z.object({
  machineId: z.number().nullable(),
  /** When it was rented, ms since the epoch. */
  startedAt: z.number().nullable(),
})
export type InstanceIdentity = z.infer<typeof instanceIdentity>

export const unknownIdentity: InstanceIdentity = { machineId: null, startedAt: null }

/** Two starts closer together than this are one, told differently. */
const startSlackMs = 60_000

export function identityOf(record: FieldRecord): InstanceIdentity {
  return { machineId: machineIdOf(record), startedAt: startedAtMs(record) }
}

/** When an instance was rented (`start_date`, epoch seconds), in ms since the epoch. */
export function startedAtMs(record: FieldRecord): number | null {
  const seconds = knownRate(record, 'start_date')
  return seconds === null || seconds === 0 || seconds > 8.64e12 ? null : seconds * 1000
}

/** Of an offer or an instance. */
export function machineIdOf(record: FieldRecord): number | null {
  return knownNumber(fieldOf(record, 'machine_id'))
}

/** Whether these are certainly two: on different machines, or rented at different times. */
export function areDifferent(one: InstanceIdentity, other: InstanceIdentity): boolean {
  return (
    isOtherMachine(one.machineId, other.machineId) ||
    (one.startedAt !== null &&
      other.startedAt !== null &&
      Math.abs(one.startedAt - other.startedAt) > startSlackMs)
  )
}

export function isOtherMachine(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && one !== other
}

/** What is known of it from both. */
export function completed(known: InstanceIdentity, seen: InstanceIdentity): InstanceIdentity {
  return {
    machineId: known.machineId ?? seen.machineId,
    startedAt: known.startedAt ?? seen.startedAt,
  }
}
