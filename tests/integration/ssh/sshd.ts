import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SshAddress } from '#domain/ssh/ssh.ts'
import { findOpenSsh } from '../../simulator/machines/openssh.ts'
import { processesOf } from '../../simulator/machines/processes.ts'
import { createMachine, type Machine } from '../../simulator/machines/ssh-server.ts'

/** One real sshd of a test's own. */
export interface Sshd {
  readonly address: SshAddress
  readonly machine: Machine
  /** How many processes it has, itself and every connection's. */
  readonly countProcesses: () => Promise<number>
}

/** The user that a server of this process can log in. */
export const user = userInfo().username

/** Starts an sshd with further lines of sshd_config(5); it ends with the test. */
export async function startSshd(options: {
  readonly authorizedKeys: readonly string[]
  readonly config?: readonly string[]
  /** A program that stands in for OpenSSH's. */
  readonly sftpServer?: string
}): Promise<Sshd> {
  const found = await findOpenSsh()
  const openSsh = { ...found, sftpServer: options.sftpServer ?? found.sftpServer }
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sshd-'))
  const machineFolder = join(folder, 'machine')
  const machine = await createMachine(
    {
      instanceId: 1,
      folder: machineFolder,
      authorizedKeys: options.authorizedKeys.join('\n'),
      environment: {},
      startScript: '',
    },
    { ...openSsh, extraConfig: [...openSsh.extraConfig, ...(options.config ?? [])] },
  )
  onTestFinished(async () => {
    await machine.remove()
    await rm(folder, { recursive: true })
  })
  await machine.up()
  return {
    address: { host: '127.0.0.1', port: machine.port() },
    machine,
    countProcesses: async () => (await processesOf(machineFolder)).length,
  }
}
