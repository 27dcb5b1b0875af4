import { invalidInput } from '../../domain/base/problem.ts'
import type { ShellWish } from '../../domain/terminals/shell-wish.ts'
import type { TerminalState } from '../../domain/terminals/terminal-state.ts'
import { type TerminalPort, Terminal, type TerminalOptions } from './terminal.ts'
import type { TerminalSize } from './shell.ts'

export interface TerminalsOptions extends Omit<
  TerminalOptions,
  'instanceId' | 'size' | 'wish' | 'folder' | 'onClosed'
> {
  readonly randomId: () => string
}

/** All terminals. Those with an unknown id throw a ProblemError; a port for one is closed. */
export interface Terminals {
  /** Prepares a terminal; it connects when its port is attached, and is closed when none is within a minute. */
  readonly open: (request: TerminalSize & Pick<TerminalOptions, 'instanceId' | 'wish' | 'folder'>) => {
    terminalId: string
  }
  readonly attach: (terminalId: string, port: TerminalPort) => void
  readonly watch: (terminalId: string, signal?: AbortSignal) => AsyncGenerator<TerminalState, void, void>
  readonly setWish: (terminalId: string, wish: ShellWish) => void
  readonly setFolder: (terminalId: string, folder: string | null) => void
  readonly resize: (terminalId: string, size: TerminalSize) => void
  readonly reconnect: (terminalId: string) => void
  readonly close: (terminalId: string) => void
  /** Instances that a shell is open on now. */
  readonly connected: () => ReadonlySet<number>
  readonly dispose: () => Promise<void>
}

export function createTerminals({ randomId, ...shared }: TerminalsOptions): Terminals {
  const terminals = new Map<string, Terminal>()

  function find(terminalId: string): Terminal {
    const terminal = terminals.get(terminalId)
    if (terminal) return terminal
    throw invalidInput('terminalId', { code: 'ended' })
  }

  return {
    open: ({ instanceId, wish, folder = null, cols, rows }) => {
      const terminalId = randomId()
      const onClosed = (): void => void terminals.delete(terminalId)
      const size = { cols, rows }
      terminals.set(terminalId, new Terminal({ ...shared, instanceId, size, wish, folder, onClosed }))
      return { terminalId }
    },
    attach: (terminalId, port) => {
      const terminal = terminals.get(terminalId)
      if (terminal) terminal.attach(port)
      else port.close()
    },
    watch: (terminalId, signal) => find(terminalId).state.watch(signal),
    setWish: (terminalId, wish) => find(terminalId).setWish(wish),
    setFolder: (terminalId, folder) => find(terminalId).setFolder(folder),
    resize: (terminalId, size) => find(terminalId).resize(size),
    reconnect: (terminalId) => find(terminalId).reconnect(),
    close: (terminalId) => terminals.get(terminalId)?.close(),
    connected: () =>
      new Set(
        [...terminals.values()].flatMap(({ connectedTo }) => (connectedTo === null ? [] : [connectedTo])),
      ),
    dispose: () => {
      for (const terminal of [...terminals.values()]) terminal.close()
      return Promise.resolve()
    },
  }
}
