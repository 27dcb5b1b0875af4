import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '#domain/base/clock.ts'
import type { KeptTransfer } from '#services/files/transfer-store.ts'
import type { Log } from '#domain/base/log.ts'
import type { Notification } from '#domain/notifications/notification.ts'
import type { Latest } from '#domain/base/latest.ts'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { isOver, type Transfer, type TransferOrder } from '#domain/files/transfer.ts'
import type { JsonFile } from '#services/storage/json-file.ts'
import { connect } from '#services/ssh/connection/connection.ts'
import { SshFailure } from '#services/ssh/failure.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { FileBrowser } from '#services/files/file-browser.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import type { Connect, ConnectApart } from '#services/files/session.ts'
import { SessionPool } from '#services/files/session-pool.ts'
import { Transfers } from '#services/files/transfers.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { openSocket } from '#services/ssh/connection/transport.ts'
import { startSshd, user } from '../ssh/sshd.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

const { privateKey, publicKey } = makeEd25519KeyPair('test')
const identities = { keys: [{ name: 'test key', privateKey }], agentSocket: null, skipped: [] }

/** How the app connects, to a server whose host key is not looked at. */
export function connectTo(address: SshAddress) {
  return async (_instanceId: number, signal: AbortSignal) => {
    const own = new AbortController()
    const giveUp = (): void => own.abort(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    const hostKey = { knownAlgorithms: [], verify: () => Promise.resolve() }
    const { client, ended, breakOff } = await connect({
      address,
      user,
      identities,
      hostKey,
      open: openSocket,
      ask: () => Promise.resolve(null),
      clock: systemClock,
      signal: own.signal,
    })
    // A run that is stopped still clears up over the connection.
    signal.removeEventListener('abort', giveUp)
    return { client, ended, breakOff, release: () => own.abort(new Error('released')) }
  }
}

/** A folder of this computer's, for a test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'slipway-sftp-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An instance with a real sshd, and folders on both sides. */
export async function startInstance(
  options: { readonly sftpServer?: string; readonly config?: readonly string[] } = {},
) {
  const { address, machine } = await startSshd({ authorizedKeys: [publicKey.line], ...options })
  const local = await makeFolder()
  const remote = machine.home
  return { address, machine, local, remote }
}

/** An instance, and a file of random bytes that is to be copied from that side. */
export async function startWithFile(side: 'local' | 'remote', size: number) {
  const instance = await startInstance()
  const content = randomBytes(size)
  await writeFile(join(instance[side], 'big'), content)
  const local = side === 'local' ? instance.local : await makeFolder()
  const { address, remote } = instance
  const [direction, from, to] =
    side === 'local' ? (['upload', local, 'in'] as const) : (['download', remote, local] as const)
  const order: TransferOrder = {
    ...placesFor(direction),
    ...{ from, names: ['big'], to, honorGitignore: false },
  }
  await mkdir(join(remote, 'in'))
  const target = side === 'local' ? join(remote, 'in') : local
  return { address, local, content, order, target }
}

export interface TransfersTestOptions {
  readonly local: string
  readonly address: SshAddress
  /** For a machine whose address changes; without it `address` holds. */
  readonly connect?: Connect
  /** By default there is none. */
  readonly connectApart?: ConnectApart
  /** By default there is no way back from a lost link. */
  readonly regain?: Connect
  /** By default there always is a connection. */
  readonly isConnected?: () => boolean
  readonly localTree?: FileTree
  /** To share them with others. */
  readonly sessions?: SessionPool
  readonly clock?: Clock
  readonly log?: Log
  readonly notify?: (notification: Notification) => void
  /** What a run before has left. */
  readonly file?: JsonFile<readonly KeptTransfer[]>
}

export function localTreeOf(homeFolder: string): FileTree {
  return createLocalTree({
    homeFolder,
    umask: 0o022,
    platform: process.platform,
    trash: (path) => rename(path, join(homeFolder, `${basename(path)}.trashed`)),
  })
}

/** A tree that tells at which offsets files are read and written, before they are. */
export function watchedTree(tree: FileTree, told: (offset: number) => void): FileTree {
  return {
    ...tree,
    openToRead: async (path, size) => {
      const reader = await tree.openToRead(path, size)
      return {
        ...reader,
        read: (offset, into) => {
          told(offset)
          return reader.read(offset, into)
        },
      }
    },
    openToWrite: async (path, ...how) => {
      const writer = await tree.openToWrite(path, ...how)
      return {
        ...writer,
        write: (offset, bytes) => {
          told(offset)
          return writer.write(offset, bytes)
        },
      }
    },
  }
}

/** The app's file browser; its sessions end with the test. */
export function openFileBrowser(
  local: string,
  connect: Connect,
  options: { readonly clock?: Clock; readonly sessions?: SessionPool } = {},
): FileBrowser {
  const clock = options.clock ?? systemClock
  const sessions = options.sessions ?? new SessionPool(clock)
  onTestFinished(() => sessions.dispose())
  return new FileBrowser({ localTree: localTreeOf(local), connect, sessions, clock, log: memoryLog() })
}

/** The app's transfers, with ways to wait for them. */
export function openTransfers({ local, address, ...options }: TransfersTestOptions) {
  let made = 0
  const clock = options.clock ?? systemClock
  const sessions = options.sessions ?? new SessionPool(clock)
  const transfers = new Transfers({
    sessions,
    localTree: options.localTree ?? localTreeOf(local),
    connect: options.connect ?? connectTo(address),
    connectApart: options.connectApart ?? (() => Promise.resolve(null)),
    regain:
      options.regain ?? (() => Promise.reject(new SshFailure({ kind: 'link-lost', detail: 'for good' }))),
    isConnected: options.isConnected ?? (() => true),
    file: options.file ?? memoryFile<readonly KeptTransfer[]>([]),
    clock,
    log: options.log ?? memoryLog(),
    notify: options.notify ?? (() => undefined),
    randomId: () => `transfer-${(made += 1)}`,
  })
  onTestFinished(async () => {
    await transfers.dispose()
    sessions.dispose()
  })
  transfers.resume()
  return { transfers, ...waysToWait(transfers.state, transfers) }
}

/** An order of instance 1, or between any places. */
type RunOrder = Pick<TransferOrder, 'from' | 'names' | 'to'> &
  (Pick<TransferOrder, 'source' | 'target'> | { readonly direction: 'upload' | 'download' })

function waysToWait(state: Latest<readonly Transfer[]>, transfers: Transfers) {
  async function until(id: string, holds: (transfer: Transfer) => boolean): Promise<Transfer> {
    for await (const all of state.watch()) {
      const found = all.find((transfer) => transfer.id === id)
      if (found && holds(found)) return found
    }
    throw new Error('nothing is watched any more')
  }
  const over = (id: string): Promise<Transfer> => until(id, ({ phase }) => isOver(phase))
  const run = (order: RunOrder): Promise<Transfer> => {
    const { from, names, to } = order
    const { source, target } = 'direction' in order ? placesFor(order.direction) : order
    return over(transfers.start({ source, target, from, names, to, honorGitignore: false }).id)
  }
  return { until, over, run }
}
