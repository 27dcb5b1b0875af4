import type { ClientChannel } from 'ssh2'
import type { Connections } from '#services/ssh/connection/connections.ts'
import type { TerminalPort } from '#services/terminals/terminal.ts'

/** VS Code's constants (src/vs/platform/terminal/common/terminalProcess.ts and terminalDataBuffering.ts). */
const highWatermark = 100_000
const lowWatermark = 5_000
const throttleMs = 5

/**
 * The yardstick for flow control: a shell of ssh2 as it comes, paused above the high mark and resumed below the low
 * one, its output put together for 5 ms. On Slipway's own connection, so that nothing else is compared.
 */
export async function openWatermarkShell(
  connections: Connections,
  instanceId: number,
  size: { readonly cols: number; readonly rows: number },
  port: TerminalPort,
): Promise<void> {
  const { client, release } = await connections.acquire(instanceId, new AbortController().signal)
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.shell({ term: 'xterm-256color', ...size }, (error, opened) => {
      if (error) reject(error)
      else resolve(opened)
    })
  })
  let [posted, took, isPaused] = [0, 0, false]
  let waiting: Buffer[] = []
  const flush = (): void => {
    const batch = Buffer.concat(waiting)
    waiting = []
    posted += batch.length
    port.post(batch)
    if (posted - took <= highWatermark || isPaused) return
    isPaused = true
    channel.pause()
  }
  channel.on('data', (piece: Buffer) => {
    if (waiting.push(piece) === 1) setTimeout(flush, throttleMs)
  })
  port.listen({
    input: (data) => void channel.write(data),
    taken: (bytes) => {
      took = bytes
      if (!isPaused || posted - took >= lowWatermark) return
      isPaused = false
      channel.resume()
    },
    commandEnded: () => undefined,
    closed: () => {
      channel.close()
      release()
    },
  })
}
