import { z } from 'zod'
import type { Gpu, Gpus } from '../../domain/figures/figures.ts'
import { boundedText, countIn, exitOf, numberIn, type ToolText } from './tool-text.ts'

const mostGpus = 64

/** `{"card0": {"GPU use (%)": "12", …}, "system": {…}}`. */
const report = z.record(z.string(), z.record(z.string(), z.unknown()))

/** What `rocm-smi --json` says. Its versions name some values otherwise; it tells no processes that hold a GPU by name. */
export function readRocm(text: ToolText): Gpus {
  const { code, lines } = exitOf(text)
  // Warnings come before it.
  const json = lines.find((line) => line.startsWith('{'))
  const cards = json === undefined ? null : parsed(json)
  if (code !== 0 || cards === null) return { kind: 'failed', says: boundedText(lines.join(' ')) }
  const list = Object.entries(cards).flatMap(([key, values]): Gpu[] => {
    const index = countIn(/^card(\d{1,3})$/.exec(key)?.[1])
    if (index === null) return []
    const find = (...names: readonly RegExp[]): string | undefined => {
      for (const name of names)
        for (const [field, value] of Object.entries(values))
          if (name.test(field) && typeof value === 'string') return value
      return undefined
    }
    const use = numberIn(find(/^GPU use \(%\)$/))
    return [
      {
        index,
        uuid: null,
        name: boundedText(find(/^Card series$/i, /^Card model$/i) ?? ''),
        usePercent: use === null || use > 100 ? null : use,
        memoryUsedBytes: countIn(find(/^VRAM Total Used Memory \(B\)$/)),
        memoryBytes: countIn(find(/^VRAM Total Memory \(B\)$/)),
        celsius: numberIn(
          find(/^Temperature \(Sensor junction\) \(C\)$/, /^Temperature \(Sensor edge\) \(C\)$/),
        ),
        watts: numberIn(find(/^(Average|Current Socket) Graphics Package Power \(W\)$/)),
        mostWatts: null,
        megahertz: numberIn(/^\(?(\d+)Mhz\)?$/i.exec(find(/^sclk clock speed:$/) ?? '')?.[1]),
      },
    ]
  })
  return { kind: 'measured', list: list.slice(0, mostGpus), processes: [] }
}

function parsed(json: string): z.infer<typeof report> | null {
  try {
    return report.safeParse(JSON.parse(json)).data ?? null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
