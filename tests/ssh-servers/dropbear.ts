import { execFile } from 'node:child_process'
import { copyFile, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeServerFolder, runServer, user, type SshServer, type SshServerOptions } from './server.ts'

export interface DropbearOptions extends SshServerOptions {
  /** A password instead of a key, or both one after the other; by itself a key. */
  readonly login?: 'key' | 'password' | 'key and password'
  /** Shown before the login. */
  readonly banner?: string
  /** Further ones of dropbear(8). */
  readonly args?: readonly string[]
}

/** Of the password of server.ts, as crypt(3) has it. */
const passwordHash =
  '$6$slipway$o6TIeYyGkJHySs9HQpZpjcPWnEDffy/FlVg5k6rjFGLs3uPZpJQPAXmjJ4k4bBVdsU2KnHaIp31jwbxZXctF7.'

/**
 * Starts a dropbear. It goes by the system's list of users, of which nss_wrapper gives it one of its own: with a home
 * and a shell that are the test's. It looks for SFTP's server at /usr/lib/sftp-server, where Debian has OpenSSH's.
 */
export async function startDropbear(options: DropbearOptions): Promise<SshServer> {
  const { shell = '/bin/bash', login = 'key', banner, args = [] } = options
  const folder = await makeServerFolder(options)
  const inFolder = (name: string): string => join(folder.folder, name)
  await promisify(execFile)('dropbearkey', ['-t', 'ed25519', '-f', inFolder('host_key')])
  const { uid, gid } = userInfo()
  const entry = [user, 'x', uid, gid, '', folder.home, shell].join(':')
  await writeFile(inFolder('passwd'), `${entry}\n`)
  await writeFile(inFolder('shadow'), `${user}:${passwordHash}:19000:0:99999:7:::\n`, { mode: 0o600 })
  await copyFile('/etc/group', inFolder('group'))
  if (banner !== undefined) await writeFile(inFolder('banner'), banner)
  return runServer({
    folder,
    debianPackage: 'dropbear-bin libnss-wrapper',
    env: {
      LD_PRELOAD: 'libnss_wrapper.so',
      NSS_WRAPPER_PASSWD: inFolder('passwd'),
      NSS_WRAPPER_SHADOW: inFolder('shadow'),
      NSS_WRAPPER_GROUP: inFolder('group'),
    },
    program: (port) => [
      'dropbear',
      '-F',
      '-E',
      ...['-p', `127.0.0.1:${String(port)}`],
      ...['-r', inFolder('host_key')],
      ...['-P', inFolder('pid')],
      ...(login === 'key' ? ['-s'] : []),
      ...(login === 'key and password' ? ['-t'] : []),
      ...(banner === undefined ? [] : ['-b', inFolder('banner')]),
      ...args,
    ],
    isReady: 'Not backgrounding',
  })
}
