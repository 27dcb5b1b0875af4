import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The OpenSSH of this machine. */
export interface OpenSsh {
  readonly sshd: string
  readonly sftpServer: string
  /** Lines of sshd_config that this version and this machine need. */
  readonly extraConfig: readonly string[]
}

const SSHD_PLACES = ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd']
const SFTP_SERVER_PLACES = [
  '/usr/lib/openssh/sftp-server',
  '/usr/libexec/openssh/sftp-server',
  '/usr/libexec/sftp-server',
  '/usr/lib/ssh/sftp-server',
]
/** Where sshd keeps its unprivileged part when root runs it; systems that do not boot with systemd lack it. */
const PRIVILEGE_SEPARATION_FOLDER = '/run/sshd'

/** Finds OpenSSH's server and readies the machine for it; throws an error that says what to install. */
export async function findOpenSsh(): Promise<OpenSsh> {
  const sshd = await firstExecutable(SSHD_PLACES)
  const sftpServer = await firstExecutable(SFTP_SERVER_PLACES)
  if (sshd === undefined || sftpServer === undefined) {
    throw new Error(
      'The simulator needs the OpenSSH server and its sftp-server (Debian: apt install openssh-server)',
    )
  }
  const isRoot = process.getuid?.() === 0
  if (isRoot && process.platform === 'linux') {
    await mkdir(PRIVILEGE_SEPARATION_FOLDER, { recursive: true, mode: 0o755 })
  }
  const extraConfig = [`UsePAM ${isRoot && (await isRootLocked()) ? 'yes' : 'no'}`]
  // Logins that fail on purpose would get this whole machine shut out.
  if ((await versionOf(sshd)) >= 908) extraConfig.push('PerSourcePenalties no')
  return { sshd, sftpServer, extraConfig }
}

/** Without PAM, sshd takes a locked password for a locked account, though a key needs no password. */
async function isRootLocked(): Promise<boolean> {
  // A system that has no such file has no passwords that are locked in this way.
  const passwords = await readFile('/etc/shadow', 'utf8').catch(() => '')
  return /^root:!/m.test(passwords)
}

async function firstExecutable(places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    const isThere = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return place
  }
  return undefined
}

/** The version as a number, 902 for OpenSSH_9.2p1, 0 if it cannot be told. */
async function versionOf(sshd: string): Promise<number> {
  const output = await promisify(execFile)(sshd, ['-V']).then(
    ({ stderr }) => stderr,
    // Older servers do not know -V, but name their version when they complain about it.
    (error: unknown) => String(error),
  )
  const [, major = '0', minor = '0'] = /OpenSSH_(\d+)\.(\d+)/.exec(output) ?? []
  return Number(major) * 100 + Number(minor)
}
