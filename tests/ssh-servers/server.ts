import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { findFreePort } from '../simulator/free-port.ts'
import { processesOf } from '../simulator/machines/processes.ts'
import { waitFor } from '../support/wait-for.ts'

/** One real SSH server of a test's own that is not OpenSSH's; it ends with the test, and so does all that it ran. */
export interface SshServer {
  readonly address: SshAddress
  /** Of the server itself, not of what it starts. */
  readonly pid: number
  /** Where its logins begin; it is the test's own. */
  readonly home: string
  /** All that the server has said so far. */
  readonly log: () => string
  /** Ids of the server's processes and of all that it has started. */
  readonly processes: () => Promise<readonly number[]>
  /** Ends it with all its processes, as a machine that dies: nobody is told. May be called again. */
  readonly close: () => Promise<void>
}

/** What each of the servers takes. */
export interface SshServerOptions {
  readonly authorizedKeys: readonly string[]
  /** The login shell of its user. */
  readonly shell?: string
}

/** The user that a server of this process can log in. */
export const user = userInfo().username
/** Of that user, where a server is to take passwords. */
export const password = 'a test password'

/** Where a server's files are. */
export interface ServerFolder {
  readonly folder: string
  readonly home: string
  /** Ends what runs in it and removes it. May be called again. */
  readonly close: () => Promise<void>
}

/**
 * A folder with an empty home, and the authorized keys in it. When the test ends, or dies, the simulator's reaper ends
 * the processes that have their HOME there, and removes it.
 */
export async function makeServerFolder({ authorizedKeys }: SshServerOptions): Promise<ServerFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-ssh-server-'))
  const reaper = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'simulator', 'machines', 'reaper.ts'), folder],
    { stdio: ['pipe', 'ignore', 'inherit'], detached: true },
  )
  const reaped = once(reaper, 'exit')
  const close = async (): Promise<void> => {
    reaper.stdin.end()
    await reaped
  }
  onTestFinished(close)

  const home = join(folder, 'home')
  await mkdir(join(home, '.ssh'), { recursive: true, mode: 0o700 })
  await writeFile(join(home, '.ssh', 'authorized_keys'), `${authorizedKeys.join('\n')}\n`, { mode: 0o600 })
  return { folder, home, close }
}

/**
 * Runs a server until it says that it is ready. Its processes, and what they start, are known by their HOME.
 *
 * @throws Error with the server's own words when it does not come up
 */
export async function runServer({
  folder: { folder, home, close },
  program,
  env,
  isReady,
  debianPackage,
}: {
  readonly folder: ServerFolder
  readonly program: (port: number) => readonly [command: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
  /** In its log. */
  readonly isReady: string
  readonly debianPackage: string
}): Promise<SshServer> {
  const port = await findFreePort()
  const [command, ...args] = program(port)
  const server = spawn(command, args, {
    cwd: home,
    env: { PATH: process.env['PATH'], ...env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  const note = (bytes: Buffer): void => void (log += bytes.toString())
  server.stdout.on('data', note)
  server.stderr.on('data', note)
  try {
    await once(server, 'spawn')
  } catch (cause) {
    throw new Error(`${command} could not be started (Debian: apt-get install ${debianPackage})`, { cause })
  }
  const { pid } = server
  if (pid === undefined) throw new Error(`${command} has no process id`)
  await waitFor(
    () => {
      if (!log.includes(isReady)) throw new Error(`${command} is not ready (${debianPackage}): ${log}`)
    },
    { intervalMs: 10 },
  )
  return {
    address: { host: '127.0.0.1', port },
    pid,
    home,
    log: () => log,
    processes: () => processesOf(folder),
    close,
  }
}
