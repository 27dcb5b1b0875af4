import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import type { TerminalDone } from '../../domain/notifications/done-notifications.ts'
import type { ShellWish } from '../../domain/terminals/shell-wish.ts'
import {
  terminalWaiting,
  type TerminalLoss,
  type TerminalState,
} from '../../domain/terminals/terminal-state.ts'
import { ConnectFailed, explainFailure, isCutOff } from '../ssh/connection/connect-failure.ts'
import type { Connections, ConnectionLease } from '../ssh/connection/connections.ts'
import { createDeadline, type Deadline, orAborted } from '../ssh/deadline.ts'
import { SshFailure } from '../ssh/failure.ts'
import { DoneWatch } from './done-watch.ts'
import { TerminalLog, type TerminalLogOptions } from './terminal-log.ts'
import { openShell, type Shell, type ShellExit, type TerminalSize } from './shell.ts'
import { connectionLoss } from '../ssh/connection/connection-loss.ts'

/** What a terminal's screen tells. */
export interface ScreenEvents {
  readonly input: (data: string) => void
  /** So many bytes were taken by the screen, in all, since the port was opened. */
  readonly taken: (bytes: number) => void
  /** The shell told of it, in what the screen has parsed; `null` when it told no exit code. */
  readonly commandEnded: (code: number | null) => void
  /** Whichever side closed it. */
  readonly closed: () => void
}

/** The port to a terminal's screen, with messages that were checked. */
export interface TerminalPort {
  /** Begins to listen; what came before is told then. */
  readonly listen: (events: ScreenEvents) => void
  /** Sends output on its way to the screen. */
  readonly post: (bytes: Uint8Array) => void
  readonly close: () => void
}

export interface TerminalOptions extends Pick<
  TerminalLogOptions,
  'instanceId' | 'labelOf' | 'chooseFile' | 'redactLines'
> {
  readonly size: TerminalSize
  readonly wish: ShellWish
  /** Where its shells begin, by default at home. */
  readonly folder?: string | null
  readonly connections: Connections
  /** Gives up what else takes a session on the instance and can be done without; `false` when nothing does. */
  readonly makeRoom?: (instanceId: number) => Promise<boolean>
  readonly knownHostsFile: string
  readonly clock: Clock
  readonly log: Log
  /** What runs in it is done, and its user wants to know; told once. */
  readonly onDone: (end: TerminalDone) => void
  /** What it is followed for is different. */
  readonly onFollowed: () => void
  /** It was closed, by its port or otherwise, and will not open again. */
  readonly onClosed: () => void
}

/** A window hands the port over at once; one that was closed or reloaded in between never does. */
const attachDeadlineMs = 60_000

/** One terminal: a shell on one instance, its state, and the port to its screen. It outlives its connections. */
export class Terminal {
  readonly state = new Latest<TerminalState>({ kind: 'connecting', address: null })
  /** Whether its user wants to be told. */
  readonly doneWatch: DoneWatch
  /** The file that its output is written to, if there is one. */
  readonly fileLog: TerminalLog
  readonly #options: TerminalOptions
  #size: TerminalSize
  #wish: ShellWish
  #folder: string | null
  #port: TerminalPort | null = null
  readonly #unattached: Deadline
  /** Aborted when its shell is not wanted any more, however far it has come. */
  #attempt: AbortController | null = null
  #shell: Shell | null = null
  /** Bytes posted on this port by shells before the present one. */
  #postedBefore = 0

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#size = options.size
    this.#wish = options.wish
    this.#folder = options.folder ?? null
    const { clock, onDone, onFollowed } = options
    this.doneWatch = new DoneWatch({ clock, tell: onDone, onSwitched: onFollowed })
    this.fileLog = new TerminalLog({
      ...{ ...options, now: clock.now, onChange: onFollowed },
      columns: () => this.#size.cols,
    })
    this.#unattached = createDeadline(clock, attachDeadlineMs, () => void this.close())
    this.#unattached.start()
  }

  /** Takes the port to the screen and connects. A second port takes the place of the first. */
  attach(port: TerminalPort): void {
    this.#unattached.stop()
    this.#giveUpShell()
    const former = this.#port
    this.#port = port
    this.#postedBefore = 0
    former?.close()
    port.listen({
      input: (data) => {
        this.doneWatch.typed()
        this.#shell?.write(data)
      },
      commandEnded: (code) => this.doneWatch.commandEnded(code),
      taken: (bytes) => this.#shell?.take(bytes - this.#postedBefore),
      closed: () => {
        if (this.#port === port) void this.close()
      },
    })
    this.reconnect()
  }

  /** Without a port there is no screen, and nothing is connected. */
  reconnect(): void {
    if (this.#port === null) return
    if (this.state.value.kind === 'reconnecting')
      return this.#options.connections.tryNow(this.#options.instanceId)
    this.#giveUpShell()
    this.#attempt = new AbortController()
    void this.#run(this.#attempt.signal)
  }

  /** Holds from the next connection on. */
  setWish(wish: ShellWish): void {
    this.#wish = wish
  }

  /** Where the next shell begins; `null` for home. */
  setFolder(folder: string | null): void {
    this.#folder = folder
  }

  /** The instance that its shell is open on now. */
  get connectedTo(): number | null {
    return this.state.value.kind === 'open' ? this.#options.instanceId : null
  }

  /** For the shell that is open, and for all after it. */
  resize(size: TerminalSize): void {
    this.#size = size
    this.#shell?.resize(size)
  }

  /** Ends its shell and its screen’s port for good. Resolves when its log is written. */
  close(): Promise<void> {
    this.#unattached.stop()
    this.#giveUpShell()
    const port = this.#port
    this.#port = null
    port?.close()
    const logged = this.fileLog.close()
    this.#options.onClosed()
    return logged
  }

  /** One shell after the other, as long as it is the link that ends them. */
  async #run(signal: AbortSignal): Promise<void> {
    let loss: TerminalLoss | null = null
    try {
      do {
        const connection = await this.#connect(loss, signal)
        try {
          loss = await this.#live(connection, loss !== null, signal)
        } finally {
          connection.release()
        }
      } while (loss !== null && !signal.aborted)
    } catch (error) {
      if (signal.aborted) return
      const { knownHostsFile, log } = this.#options
      const failed =
        error instanceof ConnectFailed ? error : explainFailure(error, { address: null, knownHostsFile, log })
      this.#show(signal, failed.failure)
      this.doneWatch.done({ kind: 'lost' })
      this.fileLog.note('Not connected')
    }
    if (!signal.aborted) this.#giveUpShell()
  }

  /** Gets a share in the connection, and shows meanwhile how that stands. */
  async #connect(loss: TerminalLoss | null, signal: AbortSignal): Promise<ConnectionLease> {
    const { connections, instanceId } = this.#options
    const done = new AbortController()
    if (loss === null) this.#show(signal, { kind: 'connecting', address: null })
    else this.#show(signal, { kind: 'reconnecting', ...loss, retryAt: null })
    const connection =
      loss === null ? connections.acquire(instanceId, signal) : connections.regain(instanceId, signal)
    void this.#mirror(loss, AbortSignal.any([signal, done.signal]))
    try {
      return await connection
    } finally {
      done.abort()
    }
  }

  async #mirror(loss: TerminalLoss | null, signal: AbortSignal): Promise<void> {
    let shown = loss
    for await (const state of this.#options.connections.state(this.#options.instanceId).watch(signal)) {
      if (state.kind === 'waiting' && shown !== null)
        shown = { problem: state.problem, address: state.address ?? shown.address }
      const next = terminalWaiting(state, shown)
      if (next !== null) this.#show(signal, next)
    }
  }

  /** The sessions of a connection are counted (MaxSessions), and one may only wait for the next look at files. */
  async #openShell(connection: ConnectionLease, signal: AbortSignal): Promise<Shell> {
    const { clock, instanceId, makeRoom } = this.#options
    const open = (): Promise<Shell> =>
      openShell({
        connection,
        size: this.#size,
        wish: this.#wish,
        folder: this.#folder,
        clock,
        post: (bytes) => {
          if (signal.aborted) return
          this.doneWatch.output()
          this.fileLog.write(bytes)
          this.#port?.post(bytes)
        },
        signal,
      })
    try {
      return await open()
    } catch (error) {
      const isRefused = error instanceof SshFailure && error.problem.kind === 'channel-refused'
      if (!isRefused || makeRoom === undefined || !(await makeRoom(instanceId))) throw error
      return open()
    }
  }

  /** A shell from its beginning to its end. @returns the loss of its link, if that is what ended it */
  async #live(
    connection: ConnectionLease,
    isAgain: boolean,
    signal: AbortSignal,
  ): Promise<TerminalLoss | null> {
    const { clock } = this.#options
    const { address, user } = connection
    let shell: Shell
    try {
      shell = await this.#openShell(connection, signal)
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error
      if (isAgain && error.problem.kind === 'link-lost') return { problem: error.problem, address }
      throw new ConnectFailed({ kind: 'failed', problem: error.problem, address }, false, { cause: error })
    }
    signal.throwIfAborted()
    this.#shell = shell
    this.doneWatch.shellBegan()
    this.fileLog.note(isAgain ? 'Reconnected' : 'Connected')
    this.#show(signal, { kind: 'open', address, user })
    shell.resize(this.#size)
    // A server that never confirms the end of its shell must not keep the connection.
    const exit = await orAborted(shell.ended, signal)
    const problem = isWithoutOwnEnd(exit) ? await connectionLoss(connection, clock) : null
    if (signal.aborted) return null
    this.#leaveShell()
    if (problem !== null && isCutOff(problem))
      throw new ConnectFailed({ kind: 'failed', problem, address }, false)
    if (problem !== null) {
      this.fileLog.note('Connection lost')
      // What runs in a session goes on, and is still waited for.
      if (this.#wish.kind === 'plain') this.doneWatch.done({ kind: 'lost' })
      return { problem, address }
    }
    const code = exit?.code ?? null
    this.#show(signal, { kind: 'exited', code, signal: exit?.signal ?? null })
    this.doneWatch.done({ kind: 'shell-ended', code })
    this.fileLog.note(code === null ? 'Shell ended' : `Shell ended (exit code ${code})`)
    return null
  }

  /** What an attempt that was given up still finds out is not shown. */
  #show(signal: AbortSignal, state: TerminalState): void {
    if (!signal.aborted) this.state.set(state)
  }

  #giveUpShell(): void {
    this.#attempt?.abort(new Error('given up'))
    this.#attempt = null
    // Its user ends it, or was told.
    this.doneWatch.switch(false)
    this.#leaveShell()
  }

  #leaveShell(): void {
    this.#postedBefore += this.#shell?.posted() ?? 0
    this.#shell = null
  }
}

/** A machine that goes down may still say that its shells were hung up, just before the link is lost. */
function isWithoutOwnEnd(exit: ShellExit | null): boolean {
  return exit === null || exit.signal !== null
}
