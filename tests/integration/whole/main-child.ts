import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { parseJson } from '#domain/base/json-value.ts'
import { loadKeytar } from '#services/vault/keychain/keytar-backend.ts'
import { startMain } from './main-program.ts'

// All of main in a process of its own, with the real keychain, to be killed (killable-main.ts). A message to it is
// one of a page's port, by the port's number, or says how far its clock is ahead, or at which point it is to die.

const fromParent = z.union([
  z.object({ port: z.number(), data: z.unknown() }),
  z.object({ aheadMs: z.number() }),
  z.object({ dieAt: z.array(z.string()) }),
])

let aheadMs = 0
let dieAt: readonly string[] = []
// Whoever starts it has time to load everything first: one run begins at once when the one before is killed.
await new Promise<void>((resolve) => {
  process.once('message', (message) => {
    const first = z.object({ aheadMs: z.number(), dieAt: z.array(z.string()) })
    ;({ aheadMs, dieAt } = first.parse(message))
    resolve()
  })
  process.send?.({ loaded: true })
})
const now = (): number => Date.now() + aheadMs

/** Dies at the last of the points that were named, each of which it has come to after the one before. */
function pass(point: string): void {
  const [next, ...rest] = dieAt
  if (next === undefined || !point.startsWith(next)) return
  dieAt = rest
  if (rest.length === 0) process.kill(process.pid, 'SIGKILL')
}

/** Journals are written by this: what an entry announces is about to be done. */
const handle = await open(import.meta.filename)
const prototype = Object.getPrototypeOf(handle) as Pick<FileHandle, 'appendFile'>
await handle.close()
const { appendFile } = prototype
prototype.appendFile = async function (...args) {
  const kinds = typeof args[0] === 'string' ? entryKinds(args[0]) : []
  for (const kind of kinds) pass(`write ${kind}`)
  await appendFile.apply(this, args)
  for (const kind of kinds) pass(`wrote ${kind}`)
}

const anyEntry = z.object({ kind: z.string(), event: z.object({ kind: z.string() }).optional() })

/** Of lines of a journal: what they are; of jobs, what has happened to one. */
function entryKinds(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const entry = anyEntry.safeParse(parseJson(line)).data
    if (entry === undefined) return []
    return entry.event === undefined ? entry.kind : `job ${entry.event.kind}`
  })
}

const keytar = await loadKeytar('Slipway')
const { app } = await startMain({
  userData: join(process.env['SLIPWAY_USER_DATA'] ?? '', 'data'),
  keychain: {
    ...keytar,
    set: (account, value) => {
      pass(`keep ${account}`)
      return keytar.set(account, value)
    },
  },
  randomId: () => {
    pass('name')
    return randomUUID()
  },
  fetch: async (input, init) => {
    const request = `${init?.method ?? 'GET'} ${new URL(String(input)).pathname}`
    pass(`send ${request}`)
    const response = await fetch(input, init)
    pass(`answered ${request}`)
    return response
  },
  clock: { now, sleep: systemClock.sleep },
  machineTimes: () => ({ wallMs: now(), awakeMs: now(), uptimeMs: now(), bootId: 'boot' }),
})

const ports = new Map<number, (data: unknown) => void>()

function openPort(port: number): (data: unknown) => void {
  let listener: (event: { readonly data: unknown }) => void = () => undefined
  app.servePort(
    app.accountPages.value.front,
    { kind: 'calls' },
    {
      postMessage: (data) => void process.send?.({ port, data }),
      on: (event: string, heard: typeof listener) => {
        if (event === 'message') listener = heard
      },
      start: () => undefined,
      close: () => undefined,
    },
  )
  const take = (data: unknown): void => listener({ data })
  ports.set(port, take)
  return take
}

process.on('message', (message) => {
  const told = fromParent.parse(message)
  if ('aheadMs' in told) aheadMs = told.aheadMs
  else if ('dieAt' in told) dieAt = told.dieAt
  else (ports.get(told.port) ?? openPort(told.port))(told.data)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
