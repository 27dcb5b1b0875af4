import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { z } from 'zod'
import type { LaunchedApp } from '../../e2e/support/launch.ts'

/** For the environment of an app whose heap is to be measured: what debugs it listens at a port that is free. */
export const heapEnvironment = { NODE_OPTIONS: '--inspect-port=0' }

const listening = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\S+)$/m
const patienceMs = 10_000
const answer = z.looseObject({ id: z.int(), result: z.looseObject({}).optional() })
const usedSize = z.looseObject({ usedSize: z.number() })

/**
 * What main's objects take once those that nobody needs are gone, in MB; `null` where main isn't Node's. Node's debugger
 * is opened for it, and stays open.
 */
export async function heapAfterCollection({ host, pid, logs }: LaunchedApp): Promise<number | null> {
  if (host !== 'chromium') return null
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await addressIn(logs))
  await once(socket, 'open')
  let calls = 0
  const call = async (method: string): Promise<unknown> => {
    const id = ++calls
    socket.send(JSON.stringify({ id, method }))
    for (;;) {
      const [message]: unknown[] = await once(socket, 'message')
      const told = answer.parse(JSON.parse(String(message)))
      if (told.id === id) return told.result
    }
  }
  await call('HeapProfiler.collectGarbage')
  const heap = usedSize.parse(await call('Runtime.getHeapUsage'))
  socket.close()
  return heap.usedSize / 1_000_000
}

async function addressIn(logs: () => string): Promise<string> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 50) {
    const address = listening.exec(logs())?.[1]
    if (address !== undefined) return address
    await sleep(50)
  }
  throw new Error('Main does not open its debugger')
}
