import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** What OpenSSH's client said and how it ended. */
export interface SshOutcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A user with a key pair and a known_hosts file of its own. */
export interface SshClient {
  /** In the form of authorized_keys. */
  readonly publicKey: string
  /** Runs `ssh` with these last arguments: options, or a command. */
  ssh(port: number, ...args: readonly string[]): Promise<SshOutcome>
  /** Runs `ssh` without a command, with this as its input. */
  shell(port: number, input: string, ...args: readonly string[]): Promise<SshOutcome>
  sftp(port: number, batch: string): Promise<SshOutcome>
  dispose(): Promise<void>
}

/** Makes a user that logs in as `user`; unknown host keys are accepted, changed ones are refused. */
export async function createSshClient(user: string): Promise<SshClient> {
  const folder = await mkdtemp(join(tmpdir(), 'ssh-client-'))
  const keyFile = join(folder, 'id_ed25519')
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
  const options = [
    ...['-F', 'none', '-i', keyFile],
    ...['IdentitiesOnly=yes', 'BatchMode=yes', 'LogLevel=ERROR', 'StrictHostKeyChecking=accept-new'].flatMap(
      (option) => ['-o', option],
    ),
    ...['-o', `UserKnownHostsFile=${join(folder, 'known_hosts')}`],
  ]
  const target = `${user}@127.0.0.1`

  async function run(program: string, args: readonly string[], input: string): Promise<SshOutcome> {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    // A client that is refused ends before it has read everything.
    child.stdin.on('error', () => undefined).end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { status: child.exitCode, stdout, stderr }
  }

  return {
    publicKey: (await readFile(`${keyFile}.pub`, 'utf8')).trim(),
    ssh: (port, ...args) => run('ssh', [...options, '-p', String(port), target, ...args], ''),
    shell: (port, input, ...args) => run('ssh', [...options, '-p', String(port), ...args, target], input),
    sftp: (port, batch) => run('sftp', [...options, '-P', String(port), '-b', '-', target], batch),
    dispose: () => rm(folder, { recursive: true }),
  }
}
