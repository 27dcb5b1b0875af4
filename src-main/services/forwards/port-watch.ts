import type { Client } from 'ssh2'
import type { Clock } from '../../domain/base/clock.ts'
import { isSameJson } from '../../domain/base/json-value.ts'
import { Latest } from '../../domain/base/latest.ts'
import type { Log } from '../../domain/base/log.ts'
import { quoteShellWord } from '../../domain/base/shell-words.ts'
import type { OpenPort } from '../../domain/forwards/open-port.ts'
import type { Connections } from '../ssh/connection/connections.ts'
import { SshFailure } from '../ssh/failure.ts'
import { briefAnswer } from './brief-answer.ts'
import { parseListening } from './listening-ports.ts'
import { listRuntimeFiles } from './notebook.ts'

export interface PortWatchOptions {
  readonly connections: Pick<Connections, 'join'>
  /** Whether a terminal is open on an instance: without one its ports aren't looked at. */
  readonly hasTerminal: (instanceId: number) => boolean
  readonly clock: Clock
  readonly randomId: () => string
  readonly log: Log
}

const pauseMs = 5_000
/** After the server refused a session, or was slow: all that it allows are in use, or it has other things to do. */
const refusedPauseMs = 30_000
/** Of an answer: its lines and their length are bounded where it's read, too. */
const mostBytes = 256 * 1024

/**
 * The port of the SSH server, the sockets that listen, and the ports of Jupyter's files, without its tokens. The kernel's
 * tables have every connection of the instance in them, so that they are gone through there. They lie below another root
 * where tests have several instances on one computer, as for `resources/machine/guard.sh`.
 */
const command = `exec sh -c ${quoteShellWord(
  [
    'echo "ssh ${SSH_CONNECTION##* }"',
    'n="${SLIPWAY_ROOT:-}/proc/net"; cat "$n/tcp" "$n/tcp6" 2>/dev/null | grep " 0A " | head -n 1000',
    `${listRuntimeFiles} | while IFS= read -r f; do sed -n 's/^.*"port": *\\([0-9]*\\).*$/jupyter \\1/p' "$f"; done`,
    // An answer without its end is a part of one: on a full instance not every command of it can be begun.
    'echo end',
  ].join('; '),
)}`

interface Watched {
  readonly shown: Latest<readonly OpenPort[]>
  /** In the order in which they were seen; `null` before the first look. */
  known: Map<number, { readonly isNew: boolean }> | null
  readonly dismissed: Set<number>
  watchers: number
  stop: AbortController
  look: Promise<boolean>
  /** When the next look is due, by the clock. */
  nextAt: number
  /** The connection over which a look doesn't end, such as of a disk that hangs: each further one would take a session. */
  heldUp: Client | null
  /** Ends once nobody watches, and no look is under way. */
  following: Promise<void>
}

/**
 * The ports that instances listen on: looked at every 5 s while somebody watches and a terminal is open, over the
 * connection that stands. Each look has a channel of its own for a moment, so that no session is taken from shells for
 * good (`MaxSessions`), and a connection that is lost is left alone.
 */
export class PortWatch {
  readonly #options: PortWatchOptions
  readonly #all = new Map<number, Watched>()

  constructor(options: PortWatchOptions) {
    this.#options = options
  }

  /** The newest port last; none while no terminal is open. */
  async *watch(instanceId: number, signal?: AbortSignal): AsyncGenerator<readonly OpenPort[], void, void> {
    const watched = this.#watchedOf(instanceId)
    watched.watchers += 1
    if (watched.watchers === 1) {
      watched.stop = new AbortController()
      const { signal: stopped } = watched.stop
      // A look that is under way, and its pause, are the next watcher's, too.
      watched.following = watched.following.then(() => this.#follow(instanceId, watched, stopped))
    }
    try {
      yield* watched.shown.watch(signal)
    } finally {
      watched.watchers -= 1
      if (watched.watchers === 0) watched.stop.abort()
    }
  }

  /** A port isn't offered again until Slipway quits. */
  dismiss(instanceId: number, port: number): void {
    const watched = this.#watchedOf(instanceId)
    watched.dismissed.add(port)
    watched.shown.set(watched.shown.value.map((one) => (one.port === port ? { ...one, isNew: false } : one)))
  }

  /** Whether a Jupyter server listens there, as far as was seen. */
  isJupyter(instanceId: number, port: number): boolean {
    const shown = this.#all.get(instanceId)?.shown.value ?? []
    return shown.some((one) => one.port === port && one.isJupyter)
  }

  /** Waits for a look that takes a session, where a shell needs one. @returns whether there was one */
  async makeRoom(instanceId: number): Promise<boolean> {
    const watched = this.#all.get(instanceId)
    return watched !== undefined && (await watched.look)
  }

  dispose(): void {
    for (const { stop } of this.#all.values()) stop.abort()
  }

  async #follow(instanceId: number, watched: Watched, signal: AbortSignal): Promise<void> {
    const { clock, hasTerminal } = this.#options
    for (;;) {
      // Whatever becomes of the computer's clock meanwhile.
      const due = Math.min(refusedPauseMs, Math.max(0, watched.nextAt - clock.now()))
      await clock.sleep(due, signal).catch(() => undefined) // nobody watches anymore
      if (signal.aborted) return
      let pause = pauseMs
      if (hasTerminal(instanceId)) {
        const looking = this.#look(instanceId, watched)
        watched.look = looking.then(
          () => true,
          () => true,
        )
        pause = await looking
        watched.look = Promise.resolve(false)
      } else {
        // What opens while no terminal is open isn't new to the next one.
        watched.known = null
        this.#show(watched, [])
      }
      watched.nextAt = clock.now() + pause
    }
  }

  /** @returns how long to wait for the next one */
  async #look(instanceId: number, watched: Watched): Promise<number> {
    const { connections, clock, randomId, log } = this.#options
    const lease = connections.join(instanceId)
    if (lease === null) return pauseMs
    try {
      const { client } = lease
      if (client === watched.heldUp) return pauseMs
      const { text, isLeft } = await briefAnswer({ client, command, clock, id: randomId(), mostBytes })
      if (isLeft) watched.heldUp = client
      if (text === null) return refusedPauseMs
      if (text.endsWith('end\n')) this.#take(watched, text)
      return pauseMs
    } catch (error) {
      if (!(error instanceof SshFailure))
        log.error(`Ports of instance ${instanceId} could not be read`, error)
      return refusedPauseMs
    } finally {
      lease.release()
    }
  }

  #take(watched: Watched, answer: string): void {
    const { ports, jupyter } = parseListening(answer)
    const before = watched.known
    // One that closed and opened again is the newest one.
    const stays = [...(before?.keys() ?? [])].filter((port) => ports.includes(port))
    const known = new Map<number, { readonly isNew: boolean }>()
    // Of those that are new at once the lowest is the newest: higher ones are often those of helpers.
    for (const port of [...stays, ...ports.toReversed()])
      if (!known.has(port)) known.set(port, before?.get(port) ?? { isNew: before !== null })
    watched.known = known
    const shown = [...known].map(([port, { isNew }]) => ({
      port,
      isNew: isNew && !watched.dismissed.has(port),
      isJupyter: jupyter.has(port),
    }))
    this.#show(watched, shown)
  }

  #show({ shown }: Watched, ports: readonly OpenPort[]): void {
    if (!isSameJson(shown.value, ports)) shown.set(ports)
  }

  #watchedOf(instanceId: number): Watched {
    const found = this.#all.get(instanceId)
    if (found !== undefined) return found
    const made: Watched = {
      ...{ shown: new Latest<readonly OpenPort[]>([]), known: null, dismissed: new Set<number>() },
      ...{ watchers: 0, stop: new AbortController(), look: Promise.resolve(false) },
      ...{ nextAt: 0, heldUp: null, following: Promise.resolve() },
    }
    this.#all.set(instanceId, made)
    return made
  }
}
