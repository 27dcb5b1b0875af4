/** The files that make an OpenSSH server look like a rented machine with a home of its own. */

/** Paths of one instance; the folder belongs to nobody else. */
export interface InstancePaths {
  readonly folder: string
  readonly home: string
  readonly authorizedKeys: string
  readonly hostKey: string
  readonly sshdConfig: string
  readonly sshdLog: string
  readonly login: string
  readonly bashrc: string
  readonly startScript: string
  readonly startScriptLog: string
  /** Stands for / where the guard looks for what belongs to the instance alone. */
  readonly root: string
  /** Stands for /proc/1/environ. */
  readonly firstEnvironment: string
}

export function instancePaths(folder: string): InstancePaths {
  return {
    folder,
    home: `${folder}/home`,
    authorizedKeys: `${folder}/home/.ssh/authorized_keys`,
    hostKey: `${folder}/host_key`,
    sshdConfig: `${folder}/sshd_config`,
    sshdLog: `${folder}/sshd.log`,
    login: `${folder}/login`,
    bashrc: `${folder}/bashrc`,
    startScript: `${folder}/onstart.sh`,
    startScriptLog: `${folder}/onstart.log`,
    root: `${folder}/root`,
    firstEnvironment: `${folder}/root/proc/1/environ`,
  }
}

/** sshd_config(5) for one instance. The extra lines come first: of each keyword sshd takes the first value. */
export function sshdConfig(
  paths: InstancePaths,
  ports: readonly number[],
  extraLines: readonly string[],
): string {
  return [
    // Of this one it takes the last value.
    'MaxStartups 200',
    ...extraLines,
    ...ports.map((port) => `Port ${String(port)}`),
    'ListenAddress 127.0.0.1',
    `HostKey "${paths.hostKey}"`,
    'PidFile none',
    `AuthorizedKeysFile "${paths.authorizedKeys}"`,
    // The folder is under /tmp, which everybody may write to.
    'StrictModes no',
    'PermitRootLogin prohibit-password',
    'PubkeyAuthentication yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UseDNS no',
    'PrintMotd no',
    'PrintLastLog no',
    'X11Forwarding no',
    'AcceptEnv LANG LC_* COLORTERM',
    `SetEnv "HOME=${paths.home}"`,
    `ForceCommand exec ${quote(paths.login)}`,
    // sftp-server, through ForceCommand, so that a transfer starts in the instance's home as a shell does.
    'Subsystem sftp internal-sftp',
    // Many terminals at once are what this is for.
    'MaxSessions 200',
    '',
  ].join('\n')
}

/** The command that every login ends in: it gives shells, commands and SFTP the instance's home and environment. */
export function loginScript(
  paths: InstancePaths,
  environment: Readonly<Record<string, string>>,
  sftpServer: string,
): string {
  return [
    '#!/bin/bash',
    ...exportLines(environment),
    'export SHELL=/bin/bash',
    'cd "$HOME" || exit 1',
    'if [ "${SSH_ORIGINAL_COMMAND:-}" = internal-sftp ]; then',
    `  exec ${quote(sftpServer)}`,
    'elif [ -n "${SSH_ORIGINAL_COMMAND:-}" ]; then',
    '  exec /bin/bash -c "$SSH_ORIGINAL_COMMAND"',
    'fi',
    `exec /bin/bash --noprofile --rcfile ${quote(paths.bashrc)}`,
    '',
  ].join('\n')
}

/** What an interactive shell reads instead of the files of the machine's user. */
export function bashrc(instanceId: number): string {
  return [
    `PS1='root@instance-${String(instanceId)}:\\w# '`,
    "alias ls='ls --color=auto'",
    'if [ -f "$HOME/.bashrc" ]; then . "$HOME/.bashrc"; fi',
    '',
  ].join('\n')
}

/** Only what a shell can take as a name; others could not be read there anyway. */
function exportLines(environment: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(environment)
    .filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    .map(([name, value]) => `export ${name}=${quote(value)}`)
}

/** Quotes one word for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
