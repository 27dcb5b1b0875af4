import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { openShell } from '#services/terminals/shell.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import type { Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { instanceIds } from '../ssh/bench-machine.ts'
import type { Stage } from './stage.ts'

const size = { cols: 80, rows: 24 }

/** Whether a large file comes through a shell as it is, at a screen that takes at its own pace. */
export async function measureSums({ machine, textFile }: Stage, { scale }: BenchOptions): Promise<Figure[]> {
  const mebibytes = Math.ceil(256 * scale)
  const bytes = mebibytes * 1024 * 1024
  const file = await textFile(mebibytes)
  const expected = createHash('sha256')
  await pipeline(createReadStream(file), expected)

  const connections = machine.connect()
  const end = new AbortController()
  const connection = await connections.acquire(instanceIds.near, end.signal)
  const hash = createHash('sha256')
  const all = Promise.withResolvers<number>()
  const begun = performance.now()
  let [taken, skip, left] = [0, '', bytes]
  const shell = await openShell({
    connection,
    size,
    wish: { kind: 'plain' },
    clock: systemClock,
    signal: end.signal,
    post: (piece) => {
      taken += piece.length
      const total = taken
      setImmediate(() => shell.take(total))
      // What comes after the file: the prompt.
      if (left === 0) return
      let rest = Buffer.from(piece)
      if (!skip.includes(mark)) {
        const before = skip.length
        skip += rest.toString('latin1')
        const at = skip.indexOf(mark)
        if (at === -1) return
        rest = rest.subarray(at + mark.length - before)
      }
      hash.update(rest.subarray(0, left))
      left -= Math.min(left, rest.length)
      if (left === 0) all.resolve(performance.now() - begun)
    },
  })
  shell.write(`stty -echo -opost; printf beg''in; cat '${file}'\n`)
  const tookMs = await all.promise
  end.abort()
  connection.release()
  const isWhole = hash.digest('hex') === expected.digest('hex')
  return [
    {
      name: `sha256 of ${mebibytes} MiB through a shell, as sent`,
      value: isWhole ? 1 : 0,
      unit: 'of all',
      beside: `${((mebibytes * 1_000) / tookMs).toFixed(0)} MiB/s to a screen that takes all at once`,
      target: { atLeast: 1 },
    },
  ]
}

/** What the machine writes before the file; the echo of the command does not hold it in one piece. */
const mark = 'begin'
