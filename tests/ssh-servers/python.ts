import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeEd25519KeyPair } from '#services/ssh/keys/key-pair.ts'
import {
  makeServerFolder,
  password,
  runServer,
  user,
  type SshServer,
  type SshServerOptions,
} from './server.ts'

/** Starts a server that is a Python script: it gets what it has to know as JSON, and says when it listens. */
export async function startPythonServer(
  script: string,
  debianPackage: string,
  options: SshServerOptions,
): Promise<SshServer> {
  const folder = await makeServerFolder(options)
  const hostKey = join(folder.folder, 'host_key')
  await writeFile(hostKey, makeEd25519KeyPair('host').privateKey, { mode: 0o600 })
  const config = { shell: '/bin/bash', ...options, user, password, hostKey }
  return runServer({
    folder,
    debianPackage,
    // Debian's own, which has Debian's packages.
    program: (port) => ['/usr/bin/python3', '-uB', script, JSON.stringify({ ...config, port })],
    isReady: 'listening',
  })
}
