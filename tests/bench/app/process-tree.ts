import { readdir, readFile } from 'node:fs/promises'

/** What a process and all that it started have used, as Linux counts it. */
export interface Usage {
  readonly cpuSeconds: number
  /** What is shared by several counts for each of them in part (PSS). */
  readonly memoryMb: number
}

/** Of the C library's `sysconf(_SC_CLK_TCK)`, which is 100 wherever Linux runs. */
const ticksPerSecond = 100

/** Of one process alone. @throws Error when it is gone */
export async function usageOf(pid: number): Promise<Usage> {
  const { ticks } = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kilobytes = Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? Number.NaN)
  return { cpuSeconds: ticks / ticksPerSecond, memoryMb: kilobytes / 1_000 }
}

/** Of a process with all that it started. */
export async function usageOfTree(pid: number): Promise<Usage> {
  const usages = await Promise.all([...(await treeOf(pid))].map(usageOf))
  return {
    cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    memoryMb: usages.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
  }
}

/** Processor seconds of one process, and of all that it started and that have ended. @throws Error when it is gone */
export async function workOf(pid: number): Promise<number> {
  const { ticks, endedTicks } = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
  return (ticks + endedTicks) / ticksPerSecond
}

async function treeOf(root: number): Promise<Set<number>> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // One that has ended meanwhile is none of ours: ours are idle.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null)
    if (stat === null) continue
    const { parent } = parseStat(stat)
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = new Set([root])
  for (const pid of tree) for (const child of children.get(pid) ?? []) tree.add(child)
  return tree
}

/** proc(5): the name stands in brackets and may hold any character, so what is read begins after the last of them. */
function parseStat(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticksOf = (user: number): number => Number(fields[user]) + Number(fields[user + 1])
  return { parent: Number(fields[1]), ticks: ticksOf(11), endedTicks: ticksOf(13) }
}
