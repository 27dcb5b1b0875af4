import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Leashed {
  readonly child: ChildProcess
  readonly pid: number
  /** The end of what it has written to its error output. */
  readonly complaints: () => string
  /** Asks it to end, and makes it end if it has not within two seconds. */
  readonly stop: () => Promise<void>
}

/**
 * Starts a program that does not outlive this one, however this one ends: a shell waits on a pipe that breaks
 * when this process dies, then kills the program and removes its folder. (Linux' own death signal does not
 * reach gnome-keyring-daemon, whose binary carries capabilities.)
 *
 * @param debianPackage named when the program is not installed
 * @throws Error when it cannot be started
 */
export async function startLeashed(options: {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly input: string
  readonly folder: string
  readonly debianPackage: string
}): Promise<Leashed> {
  const { command, args, env, input, folder, debianPackage } = options
  // In a group of its own, so that Ctrl+C reaches the program that started it first.
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new Error(`${command} could not be started (Debian: apt-get install ${debianPackage})`, { cause })
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${command} has no process id`)
  const guard = spawn(
    '/bin/sh',
    ['-c', 'read -r released || { kill -KILL "$1"; rm -rf "$2"; }', 'leash', String(pid), folder],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  )
  const ended = once(child, 'exit').then(() => guard.stdin.end('released\n'))
  let complaints = ''
  child.stderr.on('data', (text) => (complaints = `${complaints}${String(text)}`.slice(-2000)))
  // A program that ends before it has read its input: its own words say why.
  child.stdin.on('error', (error) => (complaints += error.message))
  child.stdin.end(input)

  return {
    child,
    pid,
    complaints: () => complaints,
    stop: async () => {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const tooLong = new AbortController()
      const patience = sleep(2000, undefined, { signal: tooLong.signal }).then(
        () => child.kill('SIGKILL'),
        () => undefined,
      )
      await ended
      tooLong.abort()
      await patience
    },
  }
}
