import { createHash } from 'node:crypto'
import type { openTerminal } from './machine.ts'
import { waitFor } from '../../support/wait-for.ts'

type Take = NonNullable<Parameters<typeof openTerminal>[0]['take']>

/** A screen that keeps what it is given, and what it had not taken at the worst moment. */
export interface RecordingScreen {
  readonly take: Take
  readonly bytes: () => Buffer
  readonly mostUntaken: () => number
}

/** @param delayMs how long a piece takes to be parsed */
export function recordingScreen(delayMs = 0): RecordingScreen {
  const pieces: Uint8Array[] = []
  let received = 0
  let total = 0
  let most = 0
  return {
    take: (piece, taken) => {
      pieces.push(piece)
      received += piece.length
      most = Math.max(most, received - total)
      const take = (): void => {
        total += piece.length
        taken(total)
      }
      if (delayMs === 0) take()
      else setTimeout(take, delayMs)
    },
    bytes: () => Buffer.concat(pieces),
    mostUntaken: () => most,
  }
}

type Terminal = Awaited<ReturnType<typeof openTerminal>>

const line = '0123456789abcdef\n'

/** Lets the shell send so many bytes of text that can be told, and gives their digest as it came. */
export async function flood(terminal: Terminal, screen: RecordingScreen, bytes: number): Promise<string> {
  // No echo, and no translation of line ends: between the marks stands only the flood itself.
  terminal.type(
    `stty -echo -opost; printf BE; printf GIN; yes ${line.trim()} | head -c ${bytes}; printf E; printf ND\n`,
  )
  await waitFor(
    () => {
      if (!terminal.text().slice(-200).includes('END')) throw new Error('the flood has not ended')
    },
    { intervalMs: 20, timeoutMs: 90_000 },
  )
  const all = screen.bytes()
  return digestOf(all.subarray(all.indexOf('BEGIN') + 'BEGIN'.length, all.lastIndexOf('END')))
}

/** What `flood` must give. */
export function digestOfFlood(bytes: number): string {
  return digestOf(Buffer.alloc(bytes, line))
}

function digestOf(bytes: Uint8Array): string {
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex')}`
}
