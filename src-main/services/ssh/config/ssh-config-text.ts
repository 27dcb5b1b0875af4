import SSHConfig from 'ssh-config'
import type { SshChoice } from '../../../domain/ssh/ssh-choice.ts'
import { sshAlias } from '../../../domain/ssh/ssh-config.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'

export interface ConfigEntry {
  readonly instanceId: number
  /** As checked by `sshAddressesOf`: nothing in it can end a line. */
  readonly address: SshAddress
  readonly choice: SshChoice
}

export interface ConfigDefaults {
  /** As checked by the preferences. */
  readonly user: string
  readonly identityFiles: readonly string[]
  /** As checked by the preferences; empty for what the rest of the configuration says. */
  readonly jumpHosts: string
  readonly knownHostsFile: string
}

const header = `# Written by Slipway, which rewrites it whenever your instances change: edits are lost.
# Your own settings belong in ~/.ssh/config, which counts before this file for whatever stands above its Include.
`

/** Slipway's own file: an entry for each instance, in the order of their ids. */
export function configText(entries: readonly ConfigEntry[], defaults: ConfigDefaults): string {
  const blocks = entries
    .toSorted((one, other) => one.instanceId - other.instanceId)
    .map((entry) => entryText(entry, defaults))
  return [header, ...blocks].join('\n')
}

function entryText({ instanceId, address, choice }: ConfigEntry, defaults: ConfigDefaults): string {
  const { user, identityFiles, knownHostsFile } = defaults
  const jump = proxyJumpOf(choice, defaults)
  const files = identityFiles.filter(isWritablePath).map(configPath)
  const config = new SSHConfig()
  config.append({
    Host: sshAlias(instanceId),
    HostName: address.host,
    Port: String(address.port),
    User: user,
    ...(jump !== null && { ProxyJump: jump }),
    ...(choice.forwardAgent && { ForwardAgent: 'yes' }),
    ...(files.length > 0 && { IdentityFile: files }),
    // New keys go into the user's own file; the keys that were trusted in Slipway are trusted here too.
    ...(isWritablePath(knownHostsFile) && {
      UserKnownHostsFile: ['~/.ssh/known_hosts', configPath(knownHostsFile)],
    }),
  })
  return `${config.toString().trimEnd()}\n`
}

/** `null` where whatever stands further down in the configuration counts, as it does in Slipway. */
function proxyJumpOf({ via }: SshChoice, { jumpHosts }: ConfigDefaults): string | null {
  switch (via.kind) {
    case 'direct':
      return 'none'
    case 'jump':
      return via.hosts
    case 'as-set':
      return jumpHosts === '' ? null : jumpHosts
  }
}

/**
 * Whether a path can stand in quotes in a configuration and mean itself to every version of OpenSSH: no
 * quotes, line ends, wildcards, variables or `%` tokens.
 */
export function isWritablePath(path: string): boolean {
  return !/["\p{Cc}*?[\]$%]/u.test(path)
}

/** OpenSSH reads slashes on Windows too, where a backslash would be an escape. */
function configPath(path: string): string {
  return /^[A-Za-z]:\\/.test(path) ? path.replaceAll('\\', '/') : path
}

/** The line in the user's file that brings in Slipway's. */
export function includeLineFor(ownFile: string): string {
  return `Include "${configPath(ownFile)}"`
}

const remark = '# Added by Slipway for your instances:'

/** Whether a configuration includes the file for all hosts, however the line is written. @throws when it cannot be parsed */
export function includesFile(text: string, ownFile: string): boolean {
  const wanted = configPath(ownFile)
  return [...SSHConfig.parse(text)].some((line) => {
    if (!('param' in line) || line.param.toLowerCase() !== 'include') return false
    const values = typeof line.value === 'string' ? [line.value] : line.value.map(({ val }) => val)
    return values.some((value) => configPath(value) === wanted)
  })
}

/** The same text with the line above everything else: below a Host line it would belong to that host only. */
export function withInclude(text: string, ownFile: string): string {
  const end = endOfLine(text)
  return `${blockFor(ownFile, end)}${text}`
}

/** The same text without the line as {@link withInclude} writes it; everything else stays as it is, byte for byte. */
export function withoutInclude(text: string, ownFile: string): string {
  const block = blockFor(ownFile, endOfLine(text))
  if (text.includes(block)) return text.replace(block, () => '')
  const line = includeLineFor(ownFile)
  return text
    .split(/(?<=\n)/)
    .filter((each) => each.trim() !== line && each.trim() !== remark)
    .join('')
}

function blockFor(ownFile: string, end: string): string {
  return `${remark}${end}${includeLineFor(ownFile)}${end}${end}`
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}
