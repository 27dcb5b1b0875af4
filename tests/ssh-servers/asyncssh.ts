import { join } from 'node:path'
import { startPythonServer } from './python.ts'
import type { SshServer, SshServerOptions } from './server.ts'

export interface AsyncSshOptions extends SshServerOptions {
  /** Any one of them logs in; by itself a key. */
  readonly logins?: readonly ('publickey' | 'password' | 'keyboard-interactive')[]
  /** What keyboard-interactive asks for, and the right answer; by itself a password. */
  readonly questions?: readonly { readonly text: string; readonly answer: string }[]
  /** Shown before the login. */
  readonly banner?: string
  /** By itself all that it has. */
  readonly keyExchanges?: readonly string[]
  /** New keys after so many bytes. */
  readonly rekeyBytes?: number
  /** By itself it is there. */
  readonly hasSftp?: boolean
}

/** Starts a server made of AsyncSSH: shells, commands, SFTP and forwards of all kinds. It passes no signals on. */
export function startAsyncSsh(options: AsyncSshOptions): Promise<SshServer> {
  return startPythonServer(join(import.meta.dirname, 'asyncssh_server.py'), 'python3-asyncssh', options)
}
