import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

interface Process {
  readonly pid: number
  readonly parent: number
  readonly commandLine: string
  /** Environment at its start, where that can be seen. */
  readonly environment: string
}

const SWEEPS = 2_000
const SWEEP_PAUSE_MS = 10

/** Which processes of an instance: those of its connections end with these, and what was detached from them goes on. */
export type ProcessKind = 'all' | 'of-connections'

/**
 * Ends every process of an instance's folder, or of a folder of such folders, and waits until they are gone. All are
 * halted first: what an sshd begins while its end is near would lose its parent, and be known by nothing any more.
 */
export async function endProcessesOf(folder: string, kind: ProcessKind = 'all'): Promise<void> {
  const halted = new Set<number>()
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const pids = await processesOf(folder, kind)
    if (pids.length === 0) return
    const isNew = (pid: number): boolean => !halted.has(pid)
    const signal = pids.some(isNew) ? 'SIGSTOP' : 'SIGKILL'
    for (const pid of pids) {
      send(signal, pid)
      halted.add(pid)
    }
    await sleep(SWEEP_PAUSE_MS)
  }
  throw new Error(`some processes of ${folder} do not end: ${(await processesOf(folder, kind)).join(', ')}`)
}

/**
 * Ids of the processes of an instance's folder, or of a folder of such folders: every sshd and start script, known by
 * their command lines, with all their descendants; and on Linux any other process whose HOME is in there, because what
 * a script or a shell leaves in the background loses its parent. Ids are never kept, as the machine gives them out again.
 *
 * @param kind `of-connections`: only every sshd with its descendants
 */
export async function processesOf(folder: string, kind: ProcessKind = 'all'): Promise<readonly number[]> {
  const root = kind === 'all' ? /^(\d+\/)?(sshd_config|onstart\.sh)/ : /^(\d+\/)?sshd_config/
  const processes = await listProcesses()
  const owned = new Set<number>()
  for (const { pid, commandLine, environment } of processes) {
    const isRoot = commandLine.split(`${folder}/`).some((rest) => root.test(rest))
    const isAtHome = kind === 'all' && `\0${environment}`.includes(`\0HOME=${folder}/`)
    if (isRoot || isAtHome) owned.add(pid)
  }
  // Every round finds one more generation of descendants.
  for (let before = -1; before !== owned.size;) {
    before = owned.size
    for (const { pid, parent } of processes) if (owned.has(parent)) owned.add(pid)
  }
  return [...owned]
}

async function listProcesses(): Promise<readonly Process[]> {
  if (process.platform !== 'linux') return await listWithPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found: Process[] = []
  // One at a time: many instances may end at once, and each of them must not have a file open for every process.
  for (const pid of pids) {
    const each = await readProcess(pid)
    if (each !== null) found.push(each)
  }
  return found
}

async function readProcess(pid: string): Promise<Process | null> {
  const [stat, commandLine, environment] = await Promise.all([
    readUnlessGone(`/proc/${pid}/stat`),
    readUnlessGone(`/proc/${pid}/cmdline`),
    readUnlessGone(`/proc/${pid}/environ`),
  ])
  // "pid (command) state parent …", where the command may itself hold spaces and brackets.
  const [, state, parent] = /\) (\S) (\d+) [^)]*$/.exec(stat) ?? []
  // A zombie has ended; it is only listed until its parent asks for its exit status.
  if (state === undefined || state === 'Z') return null
  return {
    pid: Number(pid),
    parent: Number(parent),
    commandLine: commandLine.replaceAll('\0', ' '),
    environment,
  }
}

async function listWithPs(): Promise<readonly Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,command='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, state, commandLine = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (state === undefined || state.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), commandLine, environment: '' }]
  })
}

/** A process may end between being listed and being read, and other users' are closed to us: nothing is seen then. */
async function readUnlessGone(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error))) return ''
    throw error
  }
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
