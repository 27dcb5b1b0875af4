import type { Gpu, GpuProcess, Gpus } from '../../domain/figures/figures.ts'
import { boundedText, countIn, exitOf, numberIn, type ToolText } from './tool-text.ts'

/** No machine that is rented has more. */
const mostGpus = 64
const mostProcesses = 256
const mebibyte = 1024 * 1024

/**
 * What `nvidia-smi` says, in the form that `resources/machine/figures.sh` asks for. Of a GPU in MIG mode it tells no use;
 * of one that has fallen off the bus, an error in place of a value.
 */
export function readNvidia(list: ToolText, processes: ToolText): Gpus {
  const { code, lines } = exitOf(list)
  // 6: no devices were found.
  if (code === 6) return { kind: 'measured', list: [], processes: [] }
  const found = lines.slice(0, mostGpus).flatMap((line): Gpu[] => {
    const cells = line.split(',').map((cell) => cell.trim())
    // A name with a comma in it would shift what follows: the numbers are counted from the end.
    const index = countIn(cells[0])
    if (cells.length < 10 || index === null) return []
    const [use, used, total, ...others] = cells.slice(-7)
    const [celsius, watts, mostWatts, megahertz] = others.map(numberIn)
    const usePercent = numberIn(use)
    return [
      {
        index,
        uuid: boundedText(cells[1] ?? ''),
        name: boundedText(cells.slice(2, -7).join(', ')),
        usePercent: usePercent === null || usePercent > 100 ? null : usePercent,
        memoryUsedBytes: countIn(used, mebibyte),
        memoryBytes: countIn(total, mebibyte),
        celsius: celsius ?? null,
        watts: watts ?? null,
        mostWatts: mostWatts ?? null,
        megahertz: megahertz ?? null,
      },
    ]
  })
  // A tool that warns exits with a code, too, and says what it knows all the same.
  if (found.length === 0 && (code !== 0 || lines.length > 0))
    return { kind: 'failed', says: boundedText(lines.join(' ')) }
  return { kind: 'measured', list: found, processes: readProcesses(processes, found) }
}

function readProcesses(text: ToolText, list: readonly Gpu[]): readonly GpuProcess[] {
  const { code, lines } = exitOf(text)
  if (code !== 0) return []
  return lines.slice(0, mostProcesses).flatMap((line): GpuProcess[] => {
    const [uuid, pid, used, ...name] = line.split(',').map((cell) => cell.trim())
    const number = countIn(pid)
    if (number === null) return []
    const held = list.find((one) => one.uuid === uuid)
    return [
      {
        gpuIndex: held?.index ?? null,
        pid: number,
        name: boundedText(name.join(', ')),
        memoryBytes: countIn(used, mebibyte),
      },
    ]
  })
}
