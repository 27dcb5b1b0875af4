import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'

/** OpenSSH's own ssh-agent(1), with its own socket. */
export interface Agent {
  readonly socket: string
  /** @param options of ssh-add(1) */
  readonly add: (privateKey: string, ...options: readonly string[]) => Promise<void>
}

export async function startAgent(): Promise<Agent> {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-agent-'))
  const socket = join(folder, 'agent.sock')
  // What asks for a confirmation says no.
  const environment = { ...process.env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: '/bin/false', DISPLAY: ':0' }
  const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore', env: environment })
  onTestFinished(async () => {
    agent.kill()
    await once(agent, 'exit')
    await rm(folder, { recursive: true })
  })
  // Its file is there a moment before anybody listens.
  await waitFor(async () => {
    const asking = connect(socket)
    await once(asking, 'connect')
    asking.destroy()
  })
  return {
    socket,
    add: async (privateKey, ...options) => {
      const file = join(folder, 'key')
      await writeFile(file, privateKey, { mode: 0o600 })
      await promisify(execFile)('ssh-add', ['-q', ...options, file], { env: environment })
      await rm(file)
    },
  }
}
