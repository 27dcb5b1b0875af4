import { fieldOf, knownRate, knownText, type FieldRecord } from '../../domain/fields/field-format.ts'
import type { Figures, Gpu } from '../../domain/figures/figures.ts'
import type {
  CheckedItem,
  Comparison,
  MachineCheck,
  MachineNotes,
} from '../../domain/figures/machine-check.ts'
import { isSameModel } from './gpu-model.ts'
import { boundedText } from './tool-text.ts'

/** The service counts memory in MB, which may be MiB: the smaller is what was surely offered. */
const megabyte = 1e6
const gigabyte = 1e9

/**
 * So much of what was offered is enough. Of memory, a driver keeps up to 8 % (error correction), and a kernel up to 3 %;
 * of a disk, its file system up to 7 %. The next smaller size of any GPU is at most 5/6 of it.
 */
const enough = 0.9
/** Shares of processors are rounded to whole ones, or by a quota's few percent. */
const enoughCores = 0.95

/** What a machine has beside what its record says was offered. More than offered is as offered. */
export function compareMachine(record: FieldRecord, figures: Figures): MachineCheck {
  const { gpus, cores, memory, disks, at } = figures
  const list = gpus.kind === 'measured' ? gpus.list : null
  const disk = disks.find(({ path }) => path === '/')
  return {
    at,
    comparisons: [
      atLeast('gpus', knownRate(record, 'num_gpus'), list?.length ?? null, 1),
      compareModel(knownText(fieldOf(record, 'gpu_name')), list ?? []),
      atLeast('gpuMemory', times(knownRate(record, 'gpu_ram'), megabyte), leastMemory(list ?? []), enough),
      compareCores(knownRate(record, 'cpu_cores_effective'), cores?.limit ?? null),
      compareMemory(record, memory?.limitBytes ?? null),
      atLeast('disk', times(knownRate(record, 'disk_space'), gigabyte), disk?.sizeBytes ?? null, enough),
    ],
    gpuTool: gpus.kind === 'measured' ? 'works' : gpus.kind === 'no-tool' ? 'missing' : 'fails',
    diskFreeBytes: disk === undefined ? null : Math.max(0, disk.sizeBytes - disk.usedBytes),
  }
}

/** Of what the user lives with, what is found as it was then. */
export function stillAccepted(
  { check, accepted }: Pick<MachineNotes, 'check' | 'accepted'>,
  next: MachineCheck,
): readonly CheckedItem[] {
  const found = (item: CheckedItem, of: MachineCheck | null): Comparison['found'] | undefined =>
    of?.comparisons.find((one) => one.item === item)?.found
  return accepted.filter((item) => found(item, check) === found(item, next))
}

/**
 * Of a part of a machine, the memory that's listed may be that of the whole: its share is what was surely offered. Where
 * the record doesn't tell the share, less is no difference.
 */
function compareMemory(record: FieldRecord, found: number | null): Comparison {
  const whole = times(knownRate(record, 'cpu_ram'), megabyte)
  const share = knownRate(record, 'gpu_frac')
  const isPart = share !== null && share > 0 && share < 1
  const compared = atLeast('memory', isPart ? times(whole, share) : whole, found, enough)
  return share === null && compared.verdict === 'differs' ? { ...compared, verdict: 'unknown' } : compared
}

function atLeast(item: CheckedItem, offered: number | null, found: number | null, share: number): Comparison {
  if (offered === null || found === null) return { item, offered, found, verdict: 'unknown' }
  return { item, offered, found, verdict: found < offered * share ? 'differs' : 'as-offered' }
}

/** A core less than offered counts where it's a whole one, and more than a rounding. */
function compareCores(offered: number | null, found: number | null): Comparison {
  const compared = atLeast('cores', offered, found, enoughCores)
  const isRounded = offered !== null && found !== null && found > offered - 1
  return isRounded ? { ...compared, verdict: 'as-offered' } : compared
}

function compareModel(offered: string | null, list: readonly Gpu[]): Comparison {
  const item = 'model'
  const named = list.map(({ name }) => name).filter((name) => name !== '')
  const [first] = named
  const shown = offered === null ? null : boundedText(offered)
  if (shown === null || first === undefined)
    return { item, offered: shown, found: first ?? null, verdict: 'unknown' }
  const other = named.find((name) => isSameModel(shown, name) === false)
  if (other !== undefined) return { item, offered: shown, found: other, verdict: 'differs' }
  const isKnown = named.length === list.length && named.every((name) => isSameModel(shown, name) === true)
  return { item, offered: shown, found: first, verdict: isKnown ? 'as-offered' : 'unknown' }
}

/** Of the GPU that has the least; a list with one that doesn't tell has no least. */
function leastMemory(list: readonly Gpu[]): number | null {
  const known = list.map(({ memoryBytes }) => memoryBytes).filter((bytes) => bytes !== null)
  return known.length === 0 || known.length < list.length ? null : Math.min(...known)
}

function times(amount: number | null, unit: number): number | null {
  return amount === null ? null : amount * unit
}
