import { z } from 'zod'
import type { Figures } from './figures.ts'

/** What a chart shows of a moment: shares in percent, and bytes a second; `null` for what wasn't measured. */
export const point = z.object({
  /** ms since the epoch. */
  at: z.number(),
  cores: z.number().nullable(),
  memory: z.number().nullable(),
  /** Of all GPUs together, and of each in the order of their list. */
  gpu: z.number().nullable(),
  gpuMemory: z.number().nullable(),
  gpus: z.array(z.number().nullable()).readonly(),
  gpusMemory: z.array(z.number().nullable()).readonly(),
  inBytesPerSecond: z.number().nullable(),
  outBytesPerSecond: z.number().nullable(),
})
export type Point = z.infer<typeof point>

export function pointOf({ at, cores, memory, network, gpus }: Figures): Point {
  const list = gpus.kind === 'measured' ? gpus.list : []
  const uses = list.map(({ usePercent }) => usePercent)
  const memories = list.map(({ memoryUsedBytes, memoryBytes }) => percentOf(memoryUsedBytes, memoryBytes))
  return {
    at,
    cores: cores && percentOf(cores.used, cores.limit),
    memory: memory && percentOf(memory.usedBytes, memory.limitBytes),
    gpu: mean(uses),
    gpuMemory: mean(memories),
    gpus: uses,
    gpusMemory: memories,
    inBytesPerSecond: network?.inBytesPerSecond ?? null,
    outBytesPerSecond: network?.outBytesPerSecond ?? null,
  }
}

/** Of a GPU that tells nothing, all together tell nothing: what is unknown may be in use. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  if (known.length === 0 || known.length < values.length) return null
  return known.reduce((all, one) => all + one, 0) / known.length
}

/** A part of a whole in percent; `null` when one of them isn't known, or there is no whole. */
export function percentOf(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : Math.min(100, (part / whole) * 100)
}
