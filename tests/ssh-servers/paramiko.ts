import { join } from 'node:path'
import { startPythonServer } from './python.ts'
import type { SshServer, SshServerOptions } from './server.ts'

export interface ParamikoOptions extends SshServerOptions {
  /** Ways to log in, each of them steps that follow one another (partial success, RFC 4252 section 5.1); by itself a key. */
  readonly logins?: readonly (readonly ('publickey' | 'password' | 'keyboard-interactive')[])[]
  /** What keyboard-interactive asks for, and the right answer; by itself a password. */
  readonly questions?: readonly { readonly text: string; readonly answer: string }[]
  /** Shown before the login. */
  readonly banner?: string
  /** By itself it is there. */
  readonly hasSftp?: boolean
}

/** Starts a server made of paramiko: shells, commands and SFTP. It refuses signals, as paramiko does by itself. */
export function startParamiko(options: ParamikoOptions): Promise<SshServer> {
  return startPythonServer(join(import.meta.dirname, 'paramiko_server.py'), 'python3-paramiko', options)
}
