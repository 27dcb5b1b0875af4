import { Latest } from '../../domain/base/latest.ts'
import { invalidInput } from '../../domain/base/problem.ts'
import { terminalNotification } from '../../domain/notifications/done-notifications.ts'
import type { Notification } from '../../domain/notifications/notification.ts'
import type { FollowedTerminal } from '../../domain/terminals/followed-terminal.ts'
import type { ShellWish } from '../../domain/terminals/shell-wish.ts'
import type { TerminalState } from '../../domain/terminals/terminal-state.ts'
import { type TerminalPort, Terminal, type TerminalOptions } from './terminal.ts'
import type { TerminalSize } from './shell.ts'

export interface TerminalsOptions extends Omit<
  TerminalOptions,
  'instanceId' | 'size' | 'wish' | 'folder' | 'onClosed' | 'onDone' | 'onFollowed'
> {
  readonly randomId: () => string
  readonly notify: (notification: Notification) => void
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
  /** Those whose output is followed for their users. */
  readonly followed: Latest<readonly FollowedTerminal[]>
  /** Whether a notification tells, once, when what runs in it is done. */
  readonly notifyWhenDone: (terminalId: string, isOn: boolean) => void
  /** Asks for a file, and writes to it what the terminal outputs from then on. @throws ProblemError storage-failed */
  readonly startLog: (terminalId: string) => Promise<void>
  /** Ends that, or forgets how it ended. */
  readonly stopLog: (terminalId: string) => Promise<void>
  readonly resize: (terminalId: string, size: TerminalSize) => void
  readonly reconnect: (terminalId: string) => void
  readonly close: (terminalId: string) => Promise<void>
  /** Instances that a shell is open on now. */
  readonly connected: () => ReadonlySet<number>
  readonly dispose: () => Promise<void>
}

export function createTerminals({ randomId, notify, ...shared }: TerminalsOptions): Terminals {
  const terminals = new Map<string, Terminal>()
  const followed = new Latest<readonly FollowedTerminal[]>([])
  const publishFollowed = (): void =>
    followed.set(
      [...terminals].flatMap(([terminalId, { doneWatch, fileLog }]) =>
        doneWatch.isOn || fileLog.state !== null
          ? [{ terminalId, notifies: doneWatch.isOn, log: fileLog.state }]
          : [],
      ),
    )

  function find(terminalId: string): Terminal {
    const terminal = terminals.get(terminalId)
    if (terminal) return terminal
    throw invalidInput('terminalId', { code: 'ended' })
  }

  return {
    open: ({ instanceId, wish, folder = null, cols, rows }) => {
      const terminalId = randomId()
      const terminal = new Terminal({
        ...{ ...shared, instanceId, size: { cols, rows }, wish, folder },
        onDone: (end) => notify(terminalNotification({ instanceId, terminalId }, end)),
        onFollowed: publishFollowed,
        onClosed: () => void terminals.delete(terminalId),
      })
      terminals.set(terminalId, terminal)
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
    followed,
    notifyWhenDone: (terminalId, isOn) => find(terminalId).doneWatch.switch(isOn),
    startLog: (terminalId) => find(terminalId).fileLog.start(),
    stopLog: (terminalId) => find(terminalId).fileLog.stop(),
    resize: (terminalId, size) => find(terminalId).resize(size),
    reconnect: (terminalId) => find(terminalId).reconnect(),
    close: async (terminalId) => terminals.get(terminalId)?.close(),
    connected: () =>
      new Set(
        [...terminals.values()].flatMap(({ connectedTo }) => (connectedTo === null ? [] : [connectedTo])),
      ),
    dispose: async () => {
      await Promise.all([...terminals.values()].map((terminal) => terminal.close()))
    },
  }
}
