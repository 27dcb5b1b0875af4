import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** OpenSSH's own ssh-agent(1), with its own socket. */
export interface SshAgent {
  readonly socket: string
  /** @param options of ssh-add(1) */
  readonly add: (privateKey: string, ...options: readonly string[]) => Promise<void>
  /** What it holds, as `ssh-add -l` tells it; throws when it holds nothing or is locked. */
  readonly list: () => Promise<string>
  /** It holds no key any more. */
  readonly empty: () => Promise<void>
  readonly stop: () => Promise<void>
}

export async function startSshAgent(): Promise<SshAgent> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-agent-'))
  const socket = join(folder, 'agent.sock')
  // What asks for a confirmation says no.
  const env = { ...process.env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: '/bin/false', DISPLAY: ':0' }
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'], env })
  const ended = once(agent, 'exit')
  // It names its socket when that is there.
  const tooSoon = ended.then(() => Promise.reject(new Error('ssh-agent has ended at once')))
  await Promise.race([once(agent.stdout, 'data'), tooSoon])
  const run = promisify(execFile)
  return {
    socket,
    add: async (privateKey, ...options) => {
      const file = join(folder, 'key')
      await writeFile(file, privateKey, { mode: 0o600 })
      await run('ssh-add', ['-q', ...options, file], { env })
      await rm(file)
    },
    list: async () => (await run('ssh-add', ['-l'], { env })).stdout,
    empty: async () => {
      await run('ssh-add', ['-q', '-D'], { env })
    },
    stop: async () => {
      agent.kill()
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
