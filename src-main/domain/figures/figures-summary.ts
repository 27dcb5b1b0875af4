import { z } from 'zod'

const share = z.number().min(0).max(100).nullable()

/** What a list shows of an instance's figures; `null` for what isn't known, never 0. */
export const figuresSummary = z.object({
  instanceId: z.number().int(),
  kind: z.enum([
    'connecting',
    'live',
    /** It couldn't be connected to, or says nothing. */
    'not-connected',
  ]),
  /** Of all its GPUs together, in percent. */
  gpu: share,
  /** The same in the last ten minutes, the oldest first, in equal steps. */
  gpuLine: z.array(share).readonly(),
  gpuMemory: share,
  /** Of the fullest disk. */
  disk: share,
  /** No GPU is in use. */
  isIdle: z.boolean(),
})
export type FiguresSummary = z.infer<typeof figuresSummary>
