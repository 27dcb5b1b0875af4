import { z } from 'zod'
import type { Disk, Figures, Gpus } from '../../domain/figures/figures.ts'
import { readNvidia } from './nvidia.ts'
import { readRocm } from './rocm.ts'
import { boundedText, countIn, exitOf, numberIn, wordsOf } from './tool-text.ts'

/** What an instance has counted until a moment; two of them make its figures. */
export interface Reading {
  /** Seconds since the instance's start. */
  readonly uptime: number
  readonly cores: {
    /** Seconds of one core that were used so far; `null` when it isn't told. */
    readonly usedSeconds: number | null
    /** How many it may use. */
    readonly limit: number
  } | null
  readonly memory: Figures['memory']
  readonly disks: readonly Disk[]
  readonly network: { readonly inBytes: number; readonly outBytes: number } | null
  readonly gpus: Gpus
}

const part = z.string().default('')
/** A line of `resources/machine/figures.sh`. */
const line = z.object({
  ...{ version: z.literal('1'), uptime: z.string(), cores: part, quota: part, use: part },
  ...{ memory: part, cache: part, machine: part, network: part, disks: part },
  ...{ nvidia: z.string().optional(), apps: part, rocm: z.string().optional() },
})
type Line = z.infer<typeof line>

/** What a line of the script says. The instance is a stranger's: `null` for what is none. */
export function readLine(text: string): Reading | null {
  const read = parsed(text)
  const uptime = numberIn(read?.uptime.split(' ')[0])
  if (read === null || uptime === null) return null
  return {
    uptime,
    cores: coresOf(read),
    memory: memoryOf(read),
    disks: disksOf(read.disks),
    network: networkOf(read.network),
    gpus: gpusOf(read),
  }
}

function parsed(text: string): Line | null {
  try {
    return line.safeParse(JSON.parse(text)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function gpusOf({ nvidia, apps, rocm }: Line): Gpus {
  if (nvidia !== undefined) return readNvidia(nvidia, apps)
  return rocm === undefined ? { kind: 'no-tool' } : readRocm(rocm)
}

/** Linux counts a processor's time in these. */
const ticksPerSecond = 100

function coresOf({ cores, quota, use }: Line): Reading['cores'] {
  const count = numberIn(cores.trim())
  // `max 100000` and `-1 100000` are no bound.
  const [most, period] = wordsOf(quota).map((word) => numberIn(word))
  const bound = most && period ? most / period : Number.POSITIVE_INFINITY
  const limit = Math.min(count ?? Number.POSITIVE_INFINITY, bound)
  return limit > 0 && Number.isFinite(limit) ? { usedSeconds: usedSecondsIn(use), limit } : null
}

function usedSecondsIn(use: string): number | null {
  const found = wordsOf(use)
  const micro = found[0] === 'cpu' ? null : numberIn(found[found.indexOf('usage_usec') + 1])
  if (found.includes('usage_usec')) return micro === null ? null : micro / 1e6
  if (found[0] !== 'cpu') return found.length === 1 ? secondsOf(numberIn(found[0]), 1e9) : null
  // user, nice, system, irq, softirq, steal: all but idle and waiting (proc(5)).
  const times = [1, 2, 3, 6, 7, 8].map((at) => numberIn(found[at]))
  const sum = times.reduce<number>((all, one) => all + (one ?? 0), 0)
  return secondsOf(sum, ticksPerSecond)
}

function secondsOf(count: number | null, perSecond: number): number | null {
  return count === null ? null : count / perSecond
}

const kibibyte = 1024

function memoryOf({ memory, cache, machine }: Line): Reading['memory'] {
  const total = namedIn(machine, 'MemTotal:', kibibyte)
  const available = namedIn(machine, 'MemAvailable:', kibibyte)
  const [used, most] = wordsOf(memory).map((word) => countIn(word))
  if (total === null) return null
  if (used === null || used === undefined)
    return available === null ? null : { usedBytes: Math.max(0, total - available), limitBytes: total }
  // What is cached is given up when it's needed. Of cgroup 1 the total counts, which has its groups in it.
  const cached = namedIn(cache, 'total_inactive_file') ?? namedIn(cache, 'inactive_file') ?? 0
  return { usedBytes: Math.max(0, used - cached), limitBytes: Math.min(total, most ?? total) }
}

/** The number behind a name, of lines such as `MemTotal: 5 kB`. */
function namedIn(text: string, name: string, times = 1): number | null {
  const row = text.split('\n').find((line) => line.startsWith(`${name} `))
  return row === undefined ? null : countIn(wordsOf(row)[1], times)
}

const mostDisks = 16

/** Each disk once, by the shortest path that it's mounted at. */
function disksOf(text: string): readonly Disk[] {
  const found = new Map<string, Disk>()
  for (const row of exitOf(text).lines) {
    // The device and the path may have blanks in them: what stands between is found from the share that is used.
    const cells = wordsOf(row)
    const share = cells.findIndex((cell, index) => index >= 4 && /^\d{1,3}%$/.test(cell))
    const [size, used] = [countIn(cells[share - 3], kibibyte), countIn(cells[share - 2], kibibyte)]
    if (share < 0 || size === null || used === null || size === 0) continue
    const path = cells.slice(share + 1).join(' ')
    const key = `${cells.slice(0, share - 3).join(' ')} ${size}`
    if ((found.get(key)?.path.length ?? Number.POSITIVE_INFINITY) <= path.length) continue
    found.set(key, { path: boundedText(path), usedBytes: used, sizeBytes: size })
  }
  return [...found.values()].slice(0, mostDisks)
}

/** What containers on the instance send goes through one of the others, too. */
const inner = /^(lo|docker|veth|br-|virbr|cni|flannel)/

function networkOf(text: string): Reading['network'] {
  const rows = text.split('\n').flatMap((row) => {
    const colon = row.indexOf(':')
    const name = row.slice(0, Math.max(0, colon)).trim()
    if (name === '' || inner.test(name)) return []
    const cells = wordsOf(row.slice(colon + 1))
    return [{ inBytes: countIn(cells[0]), outBytes: countIn(cells[8]) }]
  })
  const known = rows.flatMap(({ inBytes, outBytes }) =>
    inBytes === null || outBytes === null ? [] : [{ inBytes, outBytes }],
  )
  // Of a part that isn't read, the sum isn't known.
  if (known.length === 0 || known.length < rows.length) return null
  const sum = (of: (row: (typeof known)[number]) => number): number =>
    known.reduce((all, row) => all + of(row), 0)
  return { inBytes: sum((row) => row.inBytes), outBytes: sum((row) => row.outBytes) }
}

/** What an instance did between two readings. @param at when the second one came, ms since the epoch */
export function figuresBetween(before: Reading | null, after: Reading, at: number): Figures {
  const seconds = before === null ? 0 : after.uptime - before.uptime
  /** `null` after a restart, when counters begin anew. */
  const rate = (from: number | null | undefined, to: number | null | undefined): number | null =>
    seconds <= 0 || from === null || to === null || from === undefined || to === undefined || to < from
      ? null
      : (to - from) / seconds
  const { cores, network } = after
  const [inBytesPerSecond, outBytesPerSecond] = [
    rate(before?.network?.inBytes, network?.inBytes),
    rate(before?.network?.outBytes, network?.outBytes),
  ]
  return {
    at,
    cores: cores && { used: rate(before?.cores?.usedSeconds, cores.usedSeconds), limit: cores.limit },
    memory: after.memory,
    disks: after.disks,
    network:
      inBytesPerSecond === null || outBytesPerSecond === null
        ? null
        : { inBytesPerSecond, outBytesPerSecond },
    gpus: after.gpus,
  }
}
