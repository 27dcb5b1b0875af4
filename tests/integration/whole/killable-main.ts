import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import { z } from 'zod'
import { bulkSerializer } from '#contract/bulk.ts'
import type { Client } from './main-program.ts'

const fromChild = z.object({ port: z.number(), data: z.unknown() })

/** One run of main in a process of its own. */
export interface KillableMain {
  /** A page of the account in front. */
  readonly page: () => Client
  /** Sets its clock. */
  readonly setAhead: (ms: number) => void
  /**
   * Sends it SIGKILL at the last of these points, which it comes to one after the other: `name` (an id is made),
   * `send PUT /path` and `answered PUT /path` (a request is about to leave, its reply begins), `keep entry` (a secret is
   * about to go into the keychain), `write kind` and `wrote kind` (an entry of a journal is about to be written, and is). A
   * path or entry is named by its beginning.
   */
  readonly dieAt: (...points: readonly string[]) => void
  /** Resolves when it is dead. */
  readonly died: Promise<unknown>
  /** SIGKILL: nothing of it is written, sent or tidied up any more. */
  readonly kill: () => Promise<void>
}

/**
 * Loads one, and starts it when it is asked to.
 *
 * @param options.folder for its files; one run after another takes the same
 * @param options.env what the keyring of the test wants to be found by
 */
export function loadKillableMain(options: {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}): {
  /** With points it's to die at (`dieAt`), it may be dead already. */
  readonly start: (aheadMs: number, dieAt: readonly string[]) => Promise<KillableMain>
  readonly kill: () => Promise<void>
} {
  const child = fork(join(import.meta.dirname, 'main-child.ts'), {
    env: { PATH: process.env['PATH'], ...options.env, SLIPWAY_USER_DATA: options.folder },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const ended = exited.then(() => {
    throw new Error('main has ended by itself')
  })
  // Where nobody waits for it any more, it was killed.
  ended.catch(() => undefined)
  const loaded = once(child, 'message')
  const setAhead = (aheadMs: number): void => tell(child, { aheadMs })
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  const start = async (aheadMs: number, dieAt: readonly string[]): Promise<KillableMain> => {
    await Promise.race([loaded, ended])
    const ready = once(child, 'message')
    child.send({ aheadMs, dieAt })
    await Promise.race([ready, dieAt.length > 0 ? exited : ended])
    const ports = new Map<number, MessagePort>()
    child.on('message', (message) => {
      const { port, data } = fromChild.parse(message)
      ports.get(port)?.postMessage(data)
    })
    child.once('exit', () => {
      for (const port of ports.values()) port.close()
    })
    return {
      page: () => pageOf(child, ports),
      setAhead,
      dieAt: (...points) => void child.send({ dieAt: points }),
      died: exited,
      kill,
    }
  }
  return { start, kill }
}

/** What one that was killed a moment ago is told is lost; it still counts as connected for a while. */
function tell(
  child: ChildProcess,
  message: { readonly aheadMs: number } | { readonly port: number; readonly data: unknown },
): void {
  if (child.connected) child.send(message, () => undefined)
}

function pageOf(child: ChildProcess, ports: Map<number, MessagePort>): Client {
  const { port1, port2 } = new MessageChannel()
  const port = ports.size
  ports.set(port, port1)
  port1.onmessage = ({ data }: MessageEvent<unknown>) => tell(child, { port, data })
  port2.start()
  return createORPCClient(new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }))
}
