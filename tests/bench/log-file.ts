import { open, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Redactor } from '#domain/base/redact.ts'
import { openLineLog } from '#services/storage/line-log/line-log.ts'
import { ratio, type Figure } from './figure.ts'
import type { BenchOptions } from './options.ts'
import { takeTurns } from './rounds.ts'

/** What a channel hands over at most at once. */
const pieceBytes = 32 * 1024
/** A build's lines, with colors and a progress bar. */
const lines = Array.from(
  { length: 400 },
  (_, index) =>
    `\u001b[32m[${index % 100}%]\u001b[0m Building object src/module-${index}/kernel.cu.o -O3 -std=c++17\r\n` +
    `step ${index}: ${'='.repeat(index % 40)}>\r`,
).join('')
/** As many as an account with some logins knows. */
const secrets = Array.from({ length: 20 }, (_, index) => `bench-secret-${index}-${'x'.repeat(40)}`)

/**
 * A terminal's output into its log on the disk, as lines with their time and without secrets, beside the least that
 * makes text of it: to decode it and to leave out its escape sequences, as Node does.
 */
export async function measureLogFile({ rounds, scale }: BenchOptions): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'))
  const path = join(folder, 'log')
  const wholeBytes = Math.round(64 * 1024 * 1024 * scale)
  try {
    const taken = await takeTurns(rounds, {
      logged: () => speedOf(wholeBytes, () => openLog(path)),
      stripped: () => speedOf(wholeBytes, () => openStripped(path)),
    })
    return [
      ratio({
        name: `${Math.round(64 * scale)} MiB of a terminal's output into its log`,
        ...{ subject: taken.logged, yardstick: taken.stripped, unit: 'MiB/s' },
        against: 'the same written with only its escape sequences left out',
      }),
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface Sink {
  readonly write: (bytes: Uint8Array) => void | Promise<void>
  readonly close: () => Promise<void>
}

/** In MiB/s. */
async function speedOf(wholeBytes: number, openSink: () => Promise<Sink>): Promise<number> {
  const piece = Buffer.from(lines.repeat(Math.ceil(pieceBytes / lines.length))).subarray(0, pieceBytes)
  const sink = await openSink()
  const begunMs = performance.now()
  for (let sent = 0; sent < wholeBytes; sent += piece.length) {
    await sink.write(piece)
    // As pieces of a channel do, each comes in a turn of its own: what is to be written meanwhile can be.
    await turn()
  }
  await sink.close()
  return wholeBytes / 1024 / 1024 / ((performance.now() - begunMs) / 1000)
}

async function openLog(path: string): Promise<Sink> {
  const redactor = new Redactor()
  for (const secret of secrets) redactor.remember(secret)
  const log = await openLineLog({
    ...{ path, header: ['bench'], now: Date.now, mostBytes: Infinity, mostWaiting: Infinity },
    redactLines: (text) => redactor.redactLines(text),
    onEnd: (end) => {
      throw new Error(`The log ended: ${end.kind}`)
    },
  })
  return { write: (bytes) => log.write(bytes), close: () => log.close() }
}

async function openStripped(path: string): Promise<Sink> {
  const file = await open(path, 'w', 0o600)
  const decoder = new TextDecoder()
  return {
    write: async (bytes) => {
      await file.appendFile(stripVTControlCharacters(decoder.decode(bytes, { stream: true })))
    },
    close: () => file.close(),
  }
}
