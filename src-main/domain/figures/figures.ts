import { z } from 'zod'

const bytes = z.number().int().min(0)
const share = z.number().min(0).max(100)

/** A disk that counts, by where it's mounted. */
const disk = z.object({ path: z.string(), usedBytes: bytes, sizeBytes: bytes })
export type Disk = z.infer<typeof disk>

/** What its tool tells of a GPU; `null` for what it doesn't. */
const gpu = z.object({
  index: z.number().int().min(0),
  /** By which processes name it; a tool may have none. */
  uuid: z.string().nullable(),
  name: z.string(),
  usePercent: share.nullable(),
  memoryUsedBytes: bytes.nullable(),
  memoryBytes: bytes.nullable(),
  celsius: z.number().nullable(),
  watts: z.number().nullable(),
  mostWatts: z.number().nullable(),
  megahertz: z.number().nullable(),
})
export type Gpu = z.infer<typeof gpu>

const gpuProcess = z.object({
  /** Of the GPU that it holds, as the list has it; `null` for one that isn't there. */
  gpuIndex: z.number().int().nullable(),
  pid: z.number().int(),
  name: z.string(),
  memoryBytes: bytes.nullable(),
})
export type GpuProcess = z.infer<typeof gpuProcess>

const gpus = z.discriminatedUnion('kind', [
  /** No tool for GPUs is there, so nothing is known of them. */
  z.object({ kind: z.literal('no-tool') }),
  /** A tool is there, and fails. */
  z.object({ kind: z.literal('failed'), says: z.string() }),
  z.object({
    kind: z.literal('measured'),
    list: z.array(gpu).readonly(),
    processes: z.array(gpuProcess).readonly(),
  }),
])
export type Gpus = z.infer<typeof gpus>

/** What an instance does at a moment. What can't be measured is `null`, never 0. */
export const figures = z.object({
  /** When Slipway heard of it, ms since the epoch. */
  at: z.number(),
  cores: z.object({ used: z.number().min(0).nullable(), limit: z.number().positive() }).nullable(),
  memory: z.object({ usedBytes: bytes, limitBytes: bytes }).nullable(),
  disks: z.array(disk).readonly(),
  network: z.object({ inBytesPerSecond: z.number().min(0), outBytesPerSecond: z.number().min(0) }).nullable(),
  gpus,
})
export type Figures = z.infer<typeof figures>
