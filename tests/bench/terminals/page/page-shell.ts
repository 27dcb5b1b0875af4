import type { Terminal } from '@xterm/xterm'
import type { TerminalMessage } from '#contract/terminal-port.ts'
import { createTakenCounter } from '../../../../src-renderer/features/terminals/screen/taken-counter.ts'
import type { ShellRequest } from './bench-page.ts'
import { plainScreen, slipwayScreen, type PageScreen } from './page-screen.ts'

/** VS Code's, in characters of ASCII: src/vs/platform/terminal/common/terminalProcess.ts. */
const charCountAckSize = 5_000

/** A shell behind a socket, which stands for Electron's port here, and the screen that shows it. */
export interface PageShell {
  readonly terminal: Terminal
  readonly type: (data: string) => void
  readonly close: () => void
}

export async function openShell({ kind, distance }: ShellRequest): Promise<PageShell> {
  const send = (message: TerminalMessage): void => socket.postMessage(JSON.stringify(message))
  const tell = (bytes: number): void => send({ kind: 'taken', bytes })
  const input = (data: string): void => send({ kind: 'input', data })
  const counter = kind === 'slipway' ? createTakenCounter(tell) : plainCounter(tell)
  const screen: PageScreen =
    kind === 'slipway' ? await slipwayScreen({ input, drained: counter.flush }) : await plainScreen({ input })
  const { cols, rows } = screen.terminal
  const query = new URLSearchParams({ kind, distance, cols: String(cols), rows: String(rows) })
  const { port: socket } = new SharedWorker(new URL('./socket-worker.ts', import.meta.url), {
    type: 'module',
    // One of its own.
    name: crypto.randomUUID(),
  })
  socket.postMessage(`ws://${location.host}/shell?${query}`)
  socket.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data instanceof ArrayBuffer) screen.push(new Uint8Array(data), counter.take)
  }
  return {
    terminal: screen.terminal,
    type: (data) => screen.terminal.input(data),
    close: () => {
      socket.postMessage(null)
      screen.dispose()
    },
  }
}

function plainCounter(tell: (bytes: number) => void) {
  let [total, told] = [0, 0]
  return {
    take: (bytes: number) => {
      total += bytes
      if (total - told < charCountAckSize) return
      told = total
      tell(total)
    },
    flush: () => undefined,
  }
}
