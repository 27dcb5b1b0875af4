import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, open as openFile, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createBlockedPorts, type Blockade } from '../blocked-ports.ts'
import { findFreePort } from '../free-port.ts'
import type { OpenSsh } from './openssh.ts'
import { endProcessesOf, type ProcessKind } from './processes.ts'
import { bashrc, instancePaths, loginScript, sshdConfig } from './sshd-texts.ts'

/** What one instance is made of. */
export interface MachineOrder {
  readonly instanceId: number
  /** A folder that does not exist yet. */
  readonly folder: string
  /** Public keys that may log in from the start, a line each. */
  readonly authorizedKeys: string
  /** Environment of the start script and of every login. */
  readonly environment: Readonly<Record<string, string>>
  /** More of it, which the first process and the start script have: sshd gives none of its own to logins. */
  readonly ownEnvironment?: Readonly<Record<string, string>>
  /** Shell commands that run when the machine comes up, an empty string for none. */
  readonly startScript: string
}

/** `direct` is the machine's public port, `proxy` the one that the service names. Both lead to the one server. */
export type SshAddressKind = 'direct' | 'proxy'

/** A rented machine: an OpenSSH server with its own ports, host key and home folder. */
export interface Machine {
  readonly home: string
  /** Ports on 127.0.0.1; they can change only until the server has first come up. */
  port(of?: SshAddressKind): number
  /** Starts the server; the first time it also runs the start script. Does nothing if it is up. */
  up(): Promise<void>
  /** Ends the server and every connection and process of the machine. Its files and its host key stay. */
  down(): Promise<void>
  /** Gives the server another host key, and starts it anew if it is up. */
  replaceHostKey(): Promise<void>
  /** Gives the server these lines of sshd_config(5), which count before all others, and starts it anew if it is up. */
  configure(lines: readonly string[]): Promise<void>
  /** Blocks one of its ports, or frees it with `null`. Ends the server's connections, and starts it anew if it is up. */
  block(of: SshAddressKind, how: Blockade | null): Promise<void>
  /** Ends everything and removes the folder. */
  remove(): Promise<void>
}

/** A start script may run for ever; the machine counts as up when it has had this long. */
const START_SCRIPT_PATIENCE_MS = 4_000
const SSHD_PATIENCE_MS = 60_000
const BIND_ATTEMPTS = 5
/** A process that ends is a moment without a name before it lets go of its port. */
const REBIND_ATTEMPTS = 40
const REBIND_PAUSE_MS = 250
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Prepares a machine; nothing runs until `up`. */
export async function createMachine(order: MachineOrder, openSsh: OpenSsh): Promise<Machine> {
  const paths = instancePaths(order.folder)
  const environment = {
    // A machine has its own sessions of tmux and screen; without these they would be in /tmp, for all to see.
    TMUX_TMPDIR: paths.home,
    SCREENDIR: `${paths.home}/.screen`,
    // What Slipway's guard finds there: no terminals, devices, and load of the computer that all machines share.
    SLIPWAY_ROOT: paths.root,
    SLIPWAY_LOAD: '1000000',
    SLIPWAY_TICK: '1',
    // Programs of the machine alone, such as a stub of nvidia-smi.
    PATH: `${paths.root}/bin:${PATH}`,
    ...order.environment,
    HOME: paths.home,
  }
  const findPorts = async () => ({ direct: await findFreePort(), proxy: await findFreePort() })
  let ports = await findPorts()
  const blocked = createBlockedPorts()
  let ownLines: readonly string[] = []
  let isUp = false
  let hasBooted = false
  let hasProcesses = false

  async function prepare(): Promise<void> {
    // Not with its parents: those are gone when the simulator is being closed.
    await mkdir(paths.folder, { mode: 0o700 })
    await mkdir(`${paths.home}/.ssh`, { recursive: true, mode: 0o700 })
    const keys = order.authorizedKeys.trim()
    await writeFile(paths.authorizedKeys, keys === '' ? '' : `${keys}\n`, { mode: 0o600 })
    await writeFile(paths.login, loginScript(paths, environment, openSsh.sftpServer))
    await chmod(paths.login, 0o755)
    await writeFile(paths.bashrc, bashrc(order.instanceId))
    await writeFile(paths.startScript, order.startScript)
    await mkdir(dirname(paths.firstEnvironment), { recursive: true })
    const own = Object.entries(order.ownEnvironment ?? {}).map(([name, value]) => `${name}=${value}\0`)
    await writeFile(paths.firstEnvironment, own.join(''), { mode: 0o600 })
    await createHostKey()
  }

  async function createHostKey(): Promise<void> {
    await rm(paths.hostKey, { force: true })
    await rm(`${paths.hostKey}.pub`, { force: true })
    const comment = `instance-${String(order.instanceId)}`
    await promisify(execFile)('ssh-keygen', [
      '-q',
      '-t',
      'ed25519',
      '-N',
      '',
      '-C',
      comment,
      '-f',
      paths.hostKey,
    ])
  }

  async function startServer(): Promise<void> {
    hasProcesses = true
    for (let attempt = 1; !(await tryToStart()); attempt += 1) {
      const log = await readFile(paths.sshdLog, 'utf8')
      const isLast = attempt === (hasBooted ? REBIND_ATTEMPTS : BIND_ATTEMPTS)
      if (isLast || (hasBooted && !log.includes('Address already in use')))
        throw new Error(`sshd does not start: ${log}`)
      if (hasBooted) await sleep(REBIND_PAUSE_MS)
      else ports = await findPorts()
    }
  }

  async function tryToStart(): Promise<boolean> {
    const open = Object.values(ports).filter((port) => !blocked.has(port))
    // Without a port sshd would take its standard one.
    if (open.length === 0) return true
    await writeFile(paths.sshdConfig, sshdConfig(paths, open, [...ownLines, ...openSsh.extraConfig]))
    const log = await openFile(paths.sshdLog, 'w')
    const sshd = spawn(openSsh.sshd, ['-D', '-e', '-f', paths.sshdConfig], {
      stdio: ['ignore', 'ignore', log.fd],
      env: { PATH },
    })
    await once(sshd, 'spawn')
    await log.close()
    for (const deadlineMs = Date.now() + SSHD_PATIENCE_MS; Date.now() < deadlineMs; await sleep(10)) {
      if (sshd.exitCode !== null || sshd.signalCode !== null) return false
      const said = await readFile(paths.sshdLog, 'utf8')
      // It goes on with the other port.
      if (said.includes('Address already in use')) break
      if (said.split('Server listening on').length > open.length) return true
    }
    const exited = once(sshd, 'exit')
    sshd.kill('SIGKILL')
    await exited
    return false
  }

  async function runStartScript(): Promise<void> {
    const log = await openFile(paths.startScriptLog, 'w')
    const script = spawn('/bin/bash', [paths.startScript], {
      cwd: paths.home,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: {
        USER: 'root',
        LOGNAME: 'root',
        SHELL: '/bin/bash',
        ...environment,
        ...order.ownEnvironment,
      },
    })
    await once(script, 'spawn')
    await log.close()
    if (script.exitCode !== null) return
    await Promise.race([once(script, 'exit'), sleep(START_SCRIPT_PATIENCE_MS, undefined, { ref: false })])
  }

  async function down(kind: ProcessKind = 'all'): Promise<void> {
    isUp = false
    if (hasProcesses) await endProcessesOf(paths.folder, kind)
    if (kind === 'all') hasProcesses = false
  }

  /** What changes takes effect with the next start; a server that is up is started anew. */
  async function whileDown(change: () => Promise<void>, kind?: ProcessKind): Promise<void> {
    const wasUp = isUp
    await down(kind)
    await change()
    if (!wasUp) return
    await startServer()
    isUp = true
  }

  await prepare()
  return {
    home: paths.home,
    port: (of = 'direct') => ports[of],
    async up() {
      if (isUp) return
      await startServer()
      isUp = true
      if (!hasBooted && order.startScript !== '') await runStartScript()
      hasBooted = true
    },
    down: () => down(),
    replaceHostKey: () => whileDown(createHostKey),
    configure: (lines) =>
      whileDown(() => {
        ownLines = lines
        return Promise.resolve()
      }),
    // As a link that is cut: what was detached from it goes on.
    block: (of, how) => whileDown(() => blocked.set(ports[of], how), 'of-connections'),
    async remove() {
      await down()
      await blocked.clear()
      await rm(paths.folder, { recursive: true, force: true })
    },
  }
}
