import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { BenchMachine, Distance } from './bench-machine.ts'

/** OpenSSH's client in a shell of its own, by default with a pseudo-terminal. */
export function startOpenSsh(
  { openSshOptions, address }: BenchMachine,
  distance: Distance,
  args: readonly string[] = ['-tt'],
): ChildProcessWithoutNullStreams {
  const { host, port } = address[distance]
  const ssh = spawn('ssh', [...openSshOptions, '-p', String(port), ...args, host])
  ssh.stderr.resume()
  return ssh
}

/**
 * Runs one command of OpenSSH's sftp, and gives how long it took from the start of the program to its end, in seconds.
 *
 * @throws Error with what it said
 */
export async function runOpenSshSftp(
  { openSshOptions, address }: BenchMachine,
  distance: Distance,
  command: string,
): Promise<number> {
  const { host, port } = address[distance]
  const begun = performance.now()
  const sftp = spawn('sftp', ['-q', ...openSshOptions, '-P', String(port), '-b', '-', host])
  sftp.stdout.resume()
  sftp.stdin.end(`${command}\n`)
  const [said] = await Promise.all([text(sftp.stderr), once(sftp, 'close')])
  if (sftp.exitCode !== 0) throw new Error(`sftp failed: ${said}`)
  return (performance.now() - begun) / 1_000
}
