import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { KeptTransfer } from '#services/files/transfer-store.ts'
import { isOver } from '#domain/files/transfer.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { Transfers } from '#services/files/transfers.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { placesFor } from '../../support/files/transfer-places.ts'
import { ratio, type Figure } from '../figure.ts'
import type { BenchOptions } from '../options.ts'
import { takeTurns } from '../rounds.ts'
import { farMs, instanceIds, type BenchMachine, type Distance } from './bench-machine.ts'
import { runOpenSshSftp } from './open-ssh.ts'

const mib = 1024 * 1024
const smallFiles = 1_000

type Direction = 'download' | 'upload'

/** What is copied: one name in `files` of either side. */
interface Load {
  readonly name: string
  readonly bytes: number
  readonly isFolder: boolean
}

/**
 * Of OpenSSH's `get` and `put`: what is copied is flushed to the disk (`-f`) and keeps its mode and its time (`-p`). A
 * transfer of Slipway always does both.
 */
const sameWork = '-fp'

/** Files both ways, beside OpenSSH's sftp with the same work; and whether what arrives is what was sent. */
export async function measureSftp(machine: BenchMachine, options: BenchOptions): Promise<Figure[]> {
  const { scale } = options
  const near = { name: 'near', bytes: Math.ceil(1024 * scale) * mib, isFolder: false }
  const far = { name: 'far', bytes: Math.ceil(256 * scale) * mib, isFolder: false }
  const count = Math.ceil(smallFiles * scale)
  const small = { name: 'small', bytes: count * 4096, isFolder: true }
  const figures: Figure[] = []
  for (const direction of ['download', 'upload'] as const) {
    const from = await prepare(machine, direction)
    await makeLarge(join(from, near.name), near.bytes)
    figures.push(...(await compare(machine, options, direction, 'near', near, 0.8)))
    await makeLarge(join(from, far.name), far.bytes)
    figures.push(...(await compare(machine, options, direction, 'far', far, 3)))
    await makeSmall(join(from, small.name), count)
    figures.push(...(await compare(machine, options, direction, 'near', small, 1.5)))
  }
  return figures
}

async function compare(
  machine: BenchMachine,
  { rounds }: BenchOptions,
  direction: Direction,
  distance: Distance,
  load: Load,
  atLeast: number,
): Promise<Figure[]> {
  const [from, to] = foldersOf(machine, direction)
  const anew = async (): Promise<void> => {
    await rm(to, { recursive: true, force: true })
    await mkdir(to, { recursive: true })
  }
  const isWhole: boolean[] = []
  const seconds = await takeTurns(rounds, {
    slipway: async () => {
      await anew()
      const took = await runSlipway(machine, distance, direction, load.name)
      if (!load.isFolder)
        isWhole.push((await digest(join(from, load.name))) === (await digest(join(to, load.name))))
      return took
    },
    openSsh: async () => {
      await anew()
      const verb = direction === 'download' ? 'get' : 'put'
      return runOpenSshSftp(
        machine,
        distance,
        `${verb} ${sameWork}${load.isFolder ? 'r' : ''} "${join(from, load.name)}" "${join(to, load.name)}"`,
      )
    },
  })
  const speed = (took: number): number => load.bytes / mib / took
  const what = load.isFolder ? `${load.bytes / 4096} small files` : `${load.bytes / mib} MiB`
  const where = distance === 'far' ? `, ${farMs} ms away` : ''
  const name = `SFTP ${direction}, ${what}${where}`
  const figure = ratio({
    name,
    subject: seconds.slipway.map(speed),
    yardstick: seconds.openSsh.map(speed),
    against: `OpenSSH's sftp ${sameWork}`,
    unit: 'MiB/s',
    target: { atLeast },
  })
  if (load.isFolder) return [figure]
  const whole: Figure = {
    name: `${name}: sha256 as sent`,
    value: isWhole.filter(Boolean).length / isWhole.length,
    unit: 'of all',
    beside: `${isWhole.length} transfers`,
    target: { atLeast: 1 },
  }
  return [figure, whole]
}

async function runSlipway(
  machine: BenchMachine,
  distance: Distance,
  direction: Direction,
  name: string,
): Promise<number> {
  const [from, to] = foldersOf(machine, direction)
  const connections = machine.connect()
  const sessions = new SessionPool(systemClock)
  const transfers = new Transfers({
    sessions,
    localTree: createLocalTree({
      homeFolder: machine.folder,
      platform: process.platform,
      umask: 0o022,
      trash: rm,
    }),
    connect: connections.acquire,
    connectApart: connections.openApart,
    regain: connections.regain,
    isConnected: () => true,
    file: memoryFile<readonly KeptTransfer[]>([]),
    notify: () => undefined,
    clock: systemClock,
    log: memoryLog(),
    randomId: () => 'transfer',
  })
  const begun = performance.now()
  const instanceId = instanceIds[distance]
  transfers.start({
    ...placesFor(direction, instanceId),
    ...{ from, names: [name], to, honorGitignore: false },
  })
  for await (const [transfer] of transfers.state.watch()) {
    if (transfer === undefined || !isOver(transfer.phase)) continue
    if (transfer.phase.kind !== 'done' || transfer.skippedCount > 0)
      throw new Error(`The transfer failed: ${JSON.stringify(transfer)}`)
    break
  }
  const took = (performance.now() - begun) / 1_000
  await transfers.dispose()
  sessions.dispose()
  return took
}

function foldersOf(
  { home, folder }: BenchMachine,
  direction: Direction,
): readonly [from: string, to: string] {
  const [here, there] = [join(folder, 'files'), join(home, 'files')]
  return direction === 'download' ? [there, here] : [here, there]
}

/** An empty folder to copy from. */
async function prepare(machine: BenchMachine, direction: Direction): Promise<string> {
  for (const folder of foldersOf(machine, direction)) await rm(folder, { recursive: true, force: true })
  const [from] = foldersOf(machine, direction)
  await mkdir(from, { recursive: true })
  return from
}

/** No two pieces alike, so that one in the wrong place is found out. */
async function makeLarge(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  const piece = Buffer.alloc(mib, 'the quick brown fox jumps over the lazy dog ')
  for (let at = 0; at < bytes; at += mib) {
    for (let mark = 0; mark < mib; mark += 4096) piece.writeUInt32BE((at + mark) / 4096, mark)
    await file.write(piece)
  }
  await file.close()
}

async function makeSmall(folder: string, count: number): Promise<void> {
  await mkdir(folder)
  for (let index = 0; index < count; index += 1)
    await writeFile(join(folder, `file-${index}`), Buffer.alloc(4096, String(index)))
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: mib }), hash)
  return hash.digest('hex')
}
