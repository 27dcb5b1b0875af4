// Prints what a connection and a further shell cost: `--expose-gc memory-child.ts <order as JSON>`.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { connect, type Connection } from '#services/ssh/connection/connection.ts'
import { openShell } from '#services/terminals/shell.ts'
import { openSocket } from '#services/ssh/connection/transport.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'

const order = z
  .object({
    address: z.object({ host: z.string(), port: z.number() }),
    user: z.string(),
    privateKey: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? 'null'))

const many = 40
const { signal } = new AbortController()

function open(): Promise<Connection> {
  return connect({
    address: order.address,
    user: order.user,
    identities: { keys: [{ name: 'bench', privateKey: order.privateKey }], agentSocket: null, skipped: [] },
    hostKey: { knownAlgorithms: [], verify: () => Promise.resolve() },
    open: openSocket,
    ask: () => Promise.resolve(null),
    clock: systemClock,
    signal,
  })
}

async function shell(connection: Connection): Promise<unknown> {
  return openShell({
    connection,
    size: { cols: 80, rows: 24 },
    wish: { kind: 'plain' },
    post: () => undefined,
    clock: systemClock,
    signal,
  })
}

async function heldKb(): Promise<number> {
  // Prompts that are still on their way, and timers that hold what is over.
  await sleep(500)
  for (let round = 0; round < 4; round += 1) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000
}

// What is loaded and compiled on the first use is not counted.
const kept: unknown[] = []
const first = await open()
kept.push(first, await shell(first))

const before = await heldKb()
for (let index = 0; index < many; index += 1) kept.push(await open())
const connected = await heldKb()
for (let index = 0; index < many; index += 1) kept.push(await shell(first))
const opened = await heldKb()
console.log(
  JSON.stringify({ connectionKb: (connected - before) / many, shellKb: (opened - connected) / many }),
)
// Until it is ended, so that nothing of it is given back before.
await sleep(60_000, kept)
