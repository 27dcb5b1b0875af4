import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { createConnections, type Connections } from '#services/ssh/connection/connections.ts'
import type { Identities, Identity } from '#services/ssh/keys/identities.ts'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import { createMachine } from '../../simulator/machines/ssh-server.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { startChild } from './child.ts'

/** There and back. */
export const farMs = 50

/** `near` is this computer itself, `far` the same behind a delay. */
export type Distance = 'near' | 'far'

/** A real sshd, near and far, for Slipway's connections and for OpenSSH's client alike. */
export interface BenchMachine {
  /** On a disk in memory where there is one, so that the disk is not what is measured. */
  readonly folder: string
  readonly home: string
  readonly address: Readonly<Record<Distance, SshAddress>>
  readonly user: string
  readonly identities: Identities & { readonly keys: readonly Identity[] }
  readonly knownHostsFile: string
  /** New ones: whoever measures lets go of what was connected. */
  readonly connect: () => Connections
  /** Options of OpenSSH's programs that log in as Slipway does; the port is told apart by `-p` and `-P`. */
  readonly openSshOptions: readonly string[]
  readonly end: () => Promise<void>
}

/** How `Connections` call the two. */
export const instanceIds: Readonly<Record<Distance, number>> = { near: 1, far: 2 }

export async function startBenchMachine(): Promise<BenchMachine> {
  const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  const folder = await mkdtemp(join(root, 'slipway-bench-'))
  const { privateKey, publicKey } = makeEd25519KeyPair('bench')
  const user = userInfo().username
  const machine = await createMachine(
    {
      instanceId: 1,
      folder: join(folder, 'machine'),
      authorizedKeys: publicKey.line,
      environment: {},
      startScript: '',
    },
    await findOpenSsh(),
  )
  await machine.up()
  // The prompt's number tells a new prompt from an old one.
  await writeFile(join(machine.home, '.bashrc'), "PS1='ready-\\#> '; PROMPT_COMMAND=\n")
  const delay = startChild('delay.ts', [String(machine.port()), String(farMs / 2)])
  const farPort = Number(await delay.line())
  const address = {
    near: { host: '127.0.0.1', port: machine.port() },
    far: { host: '127.0.0.1', port: farPort },
  }

  const knownHostsFile = join(folder, 'known_hosts')
  const hostKey = (await readFile(join(folder, 'machine', 'host_key.pub'), 'utf8')).trim()
  for (const { port } of Object.values(address))
    await appendFile(knownHostsFile, `[127.0.0.1]:${port} ${hostKey}\n`)
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, privateKey, { mode: 0o600 })
  const identities = { keys: [{ name: 'bench', privateKey }], agentSocket: null, skipped: [] }
  const openSshOptions = [
    ['-F', 'none'],
    ['-i', keyFile],
    ...[
      `User=${user}`,
      'IdentitiesOnly=yes',
      'IdentityAgent=none',
      'BatchMode=yes',
      `UserKnownHostsFile=${knownHostsFile}`,
      'KexAlgorithms=curve25519-sha256',
      'Ciphers=aes128-gcm@openssh.com',
      'LogLevel=ERROR',
    ].map((option) => ['-o', option]),
  ].flat()

  return {
    folder,
    home: machine.home,
    address,
    user,
    identities,
    knownHostsFile,
    connect: () =>
      createConnections({
        findTarget: (id) =>
          Promise.resolve({ kind: 'address', address: id === instanceIds.far ? address.far : address.near }),
        user: () => user,
        identities: () => Promise.resolve(identities),
        knownHostsFile,
        clock: systemClock,
        random: () => 0.5,
        log: memoryLog(),
      }),
    openSshOptions,
    end: async () => {
      await delay.end()
      await machine.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
