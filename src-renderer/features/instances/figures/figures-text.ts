import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { Figures, Gpu, Gpus } from '#domain/figures/figures.ts'
import type { FiguresState } from '#domain/figures/figures-view.ts'
import { pointOf, type Point } from '#domain/figures/points.ts'
import { formatBytes, formatNumber, unknown, withReason } from '#ui/format.ts'
import { connectionFailureText } from '#shared/ssh/connection-text.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

export const figuresText = {
  about:
    'Slipway connects by SSH and reads the use of GPUs, processors, memory, disks, and network every 2 seconds while this page is open. It installs nothing on the instance.',
  aboutAll:
    'Slipway connects by SSH to each running instance that has an address, up to 100, and reads its figures every 10 seconds, with little traffic, until you turn this off. It asks you nothing: an instance that needs an answer, such as about its host key, is “not connected”. Your keychain or SSH agent may still ask: if a key needs your confirmation, or the keychain is locked.',
  notRunning: 'Slipway reads figures while the instance is running.',
  starting: 'Connecting…',
  lost: 'Connection lost. Slipway reconnects automatically.',
}

/** Why figures don't come; `null` while they do, or nobody wants them. */
export function failedText(state: FiguresState): ProblemText | null {
  if (state.kind === 'not-connected')
    return { ...connectionFailureText(state.failure, 'try again'), canRetry: true }
  if (state.kind !== 'failed') return null
  switch (state.why) {
    case 'channel-refused':
      return {
        title: 'The instance’s SSH server opened no channel for figures',
        meaning: 'Terminals and files keep working. It may limit how many are open at once.',
        nextStep: 'Close a terminal or transfer of this instance, then try again.',
        canRetry: true,
      }
    case 'nothing-said':
      return {
        title: 'The instance sent no figures',
        meaning:
          'It may have no shell, lack basic programs, or be very busy. It may still run, and you may be charged.',
        nextStep: 'Try again, or open a terminal.',
        canRetry: true,
      }
    default:
      return assertNever(state.why)
  }
}

/** Why there are no figures of GPUs; `null` when there are. */
export function noGpusText(gpus: Gpus): string | null {
  switch (gpus.kind) {
    case 'no-tool':
      return 'GPU use is unknown: the instance has neither nvidia-smi nor rocm-smi.'
    case 'failed':
      return gpus.says === ''
        ? 'GPU use is unknown: the GPU tool doesn’t answer.'
        : withReason('GPU use is unknown', gpus.says)
    case 'measured':
      return gpus.list.length === 0 ? 'The GPU tool lists no GPU.' : null
    default:
      return assertNever(gpus)
  }
}

export function percentText(share: number | null): string {
  return share === null ? unknown : `${formatNumber(share)}%`
}

export function ofText(part: number | null, whole: number | null): string {
  return part === null && whole === null ? unknown : `${formatBytes(part)} of ${formatBytes(whole)}`
}

function rateText(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? unknown : `${formatBytes(bytesPerSecond)}/s`
}

/** One line of a chart, and its column of the table. */
export interface Line {
  readonly name: string
  readonly value: (point: Point) => number | null
}

/** What a chart draws: one line, or one for each GPU. */
export interface Series {
  readonly key: string
  readonly name: string
  /** How it stands now. */
  readonly now: string
  /** What one value of it is, in a table. */
  readonly text: (value: number | null) => string
  /** The top of its axis; `null` for the highest value that is shown. */
  readonly top: number | null
  readonly lines: readonly Line[]
  /** Of all lines together. */
  readonly value: Line['value']
}

/** What the height of a chart stands for. */
export function topOf({ top, value }: Series, points: readonly Point[]): number {
  return top ?? points.reduce((highest, point) => Math.max(highest, value(point) ?? 0), 1)
}

/** A series' columns in the table: all together, and each line where there are several. */
export function columnsOf({ name, value, lines }: Series): readonly Line[] {
  return lines.length > 1 ? [{ name, value }, ...lines] : [{ name, value }]
}

export function seriesOf(figures: Figures): readonly Series[] {
  const { cores, memory, gpus } = figures
  const now = pointOf(figures)
  const list = gpus.kind === 'measured' ? gpus.list : []
  const sum = (of: (gpu: Gpu) => number | null): number | null =>
    list.reduce<number | null>((all, one) => {
      const value = of(one)
      return all === null || value === null ? null : all + value
    }, 0)
  const ofGpus: readonly Series[] =
    list.length === 0
      ? []
      : [
          {
            ...{ key: 'gpu', name: 'GPU', text: percentText, top: 100, value: ({ gpu }) => gpu },
            now:
              now.gpu !== null && list.length > 1
                ? `${percentText(now.gpu)} of ${counted(list.length, 'GPU')}`
                : percentText(now.gpu),
            lines: list.map((gpu, index) => ({
              name: `GPU ${gpu.index}`,
              value: ({ gpus: each }) => each[index] ?? null,
            })),
          },
          {
            ...{ key: 'gpuMemory', name: 'GPU memory', text: percentText, top: 100 },
            now: ofText(
              sum(({ memoryUsedBytes }) => memoryUsedBytes),
              sum(({ memoryBytes }) => memoryBytes),
            ),
            value: ({ gpuMemory }) => gpuMemory,
            lines: list.map((gpu, index) => ({
              name: `GPU ${gpu.index} memory`,
              value: ({ gpusMemory: each }) => each[index] ?? null,
            })),
          },
        ]
  const line = (name: string, value: Line['value']): Pick<Series, 'name' | 'value' | 'lines'> => ({
    ...{ name, value, lines: [{ name, value }] },
  })
  return [
    ...ofGpus,
    {
      ...{ key: 'cores', text: percentText, top: 100 },
      now:
        cores === null || cores.used === null
          ? unknown
          : `${formatNumber(cores.used, 1)} of ${counted(cores.limit, 'core')}`,
      ...line('Processors', (point) => point.cores),
    },
    {
      ...{ key: 'memory', text: percentText, top: 100 },
      now: ofText(memory?.usedBytes ?? null, memory?.limitBytes ?? null),
      ...line('Memory', (point) => point.memory),
    },
    {
      ...{ key: 'in', text: rateText, top: null },
      now: rateText(now.inBytesPerSecond),
      ...line('Received', (point) => point.inBytesPerSecond),
    },
    {
      ...{ key: 'out', text: rateText, top: null },
      now: rateText(now.outBytesPerSecond),
      ...line('Sent', (point) => point.outBytesPerSecond),
    },
  ]
}

/** What a chart says to those who don't see it. */
export function chartText({ name, now, text, value }: Series, points: readonly Point[]): string {
  const known = points.map(value).filter((one) => one !== null)
  if (known.length === 0) return `${name}: ${now}`
  return `${name}: now ${now}; lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}`
}
