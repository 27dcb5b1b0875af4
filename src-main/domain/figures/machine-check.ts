import { z } from 'zod'
import { instanceIdentity } from '../instances/instance-identity.ts'
import { machineFailure } from './machine-failure.ts'
import { speedResult } from './speed-test.ts'

export const checkedItems = ['gpus', 'model', 'gpuMemory', 'cores', 'memory', 'disk'] as const
export type CheckedItem = (typeof checkedItems)[number]

/** A model's name; a count of GPUs or cores; bytes of memory or disk. `null` where it isn't known. */
const amount = z.union([z.string(), z.number()]).nullable()

/** One thing that was offered, beside what is there. */
const comparison = z.object({
  item: z.enum(checkedItems),
  offered: amount,
  found: amount,
  /** Less than was offered is `differs`. What one side doesn't tell is `unknown`, and no difference. */
  verdict: z.enum(['as-offered', 'differs', 'unknown']),
})
export type Comparison = z.infer<typeof comparison>

/** What an instance has, beside what the service listed for it when it was looked at. */
const machineCheck = z.object({
  /** ms since the epoch. */
  at: z.number(),
  comparisons: z.array(comparison).readonly(),
  /** Whether a tool for GPUs was there and worked. */
  gpuTool: z.enum(['works', 'missing', 'fails']),
  /** Of the disk, bytes that nothing is on yet. */
  diskFreeBytes: z.number().nullable(),
})
export type MachineCheck = z.infer<typeof machineCheck>

/** What is kept of what was found out about an instance. */
export const machineNotes = z.object({
  identity: instanceIdentity,
  check: machineCheck.nullable(),
  /** Differences that the user lives with. */
  accepted: z.array(z.enum(checkedItems)).readonly(),
  speed: speedResult.nullable().default(null),
})
export type MachineNotes = z.infer<typeof machineNotes>

export const machineCheckView = z.object({
  ...machineNotes.pick({ check: true, accepted: true }).shape,
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('idle') }),
    z.object({ kind: z.literal('running') }),
    z.object({ kind: z.literal('failed'), failure: machineFailure }),
  ]),
})
export type MachineCheckView = z.infer<typeof machineCheckView>

/** What differs from the offer, and isn't lived with. */
export function openDifferences({
  check,
  accepted,
}: Pick<MachineNotes, 'check' | 'accepted'>): readonly Comparison[] {
  return (check?.comparisons ?? []).filter(
    ({ item, verdict }) => verdict === 'differs' && !accepted.includes(item),
  )
}
