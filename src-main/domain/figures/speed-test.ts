import { z } from 'zod'
import { machineFailure } from './machine-failure.ts'

export const speedParts = ['disk', 'down', 'up'] as const
export type SpeedPart = (typeof speedParts)[number]

/** What a test takes at most. */
export const speedLimits = {
  /** Of each part, about: the last piece of a slow disk takes longer. */
  seconds: 15,
  diskMebibytes: 1024,
  /** Each way between this computer and the instance. */
  networkBytes: 100e6,
} as const

const measured = z.object({
  kind: z.literal('measured'),
  bytesPerSecond: z.number().positive(),
  bytes: z.number().positive(),
  /** The instance's tools can't wait for the disk: its memory may have taken some of it. */
  isCached: z.boolean(),
})
const speedOutcome = z.discriminatedUnion('kind', [
  measured,
  z.object({
    kind: z.literal('refused'),
    why: z.enum([
      /** So little of the disk is free that a test would fill it. */
      'no-room',
      /** No folder on a disk can be written to. */
      'no-folder',
      /** It has no /proc to take the time by. */
      'no-proc',
    ]),
  }),
  /** It said nothing that can be read, or not in time. */
  z.object({ kind: z.literal('unmeasured') }),
])
export type SpeedOutcome = z.infer<typeof speedOutcome>

/** How fast an instance's disk is written, and its connection with this computer. */
export const speedResult = z.object({
  /** ms since the epoch. */
  at: z.number(),
  disk: speedOutcome,
  /** From the instance to this computer. */
  down: speedOutcome,
  up: speedOutcome,
})

const speedPart = z.enum(speedParts)
export const speedTestView = z.object({
  /** The last one that was finished. */
  result: speedResult.nullable(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('idle') }),
    /** `null`: it's being connected to. */
    z.object({ kind: z.literal('running'), part: speedPart.nullable(), bytes: z.number() }),
    /** The user ended it. `isLeft`: the instance hasn't, so that it may still write. */
    z.object({ kind: z.literal('canceled'), isLeft: z.boolean() }),
    z.object({ kind: z.literal('failed'), failure: machineFailure, part: speedPart.nullable() }),
  ]),
})
export type SpeedTestView = z.infer<typeof speedTestView>
