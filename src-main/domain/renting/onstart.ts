/** Longest start script that the service takes, in characters (service API 4.4, 8). */
export const onstartLimit = 4048

/** gzip of a text's UTF-8, in base64: an argument, because the language itself has neither. */
export type Compress = (text: string) => string

/** A start script as it is sent. */
export interface Onstart {
  readonly text: string
  /** Of `text`, as the service counts them. Beyond {@link onstartLimit} it would be refused. */
  readonly characters: number
  /** Whether the user's own part travels compressed. */
  readonly isPacked: boolean
}

/**
 * The start script to send: with a first step for the key, and packed if it would be too long otherwise, or if
 * it is in another language than that step. The key's step stays readable in front, so that one can log in even
 * where unpacking fails.
 *
 * @param publicKey one line in OpenSSH's format, to be let in; `null` for none
 * @throws RangeError when the key is not one plain line
 */
export function onstartToSend(script: string, publicKey: string | null, compress: Compress): Onstart {
  const withKey = (own: string): string => (publicKey === null ? own : withAuthorizedKey(own, publicKey))
  if (publicKey === null || isForShell(script)) {
    const plain = withKey(script)
    if (lengthOf(plain) <= onstartLimit) return { text: plain, characters: lengthOf(plain), isPacked: false }
  }
  const packed = withKey(packScript(script, compress))
  return { text: packed, characters: lengthOf(packed), isPacked: true }
}

/**
 * The script as one line that unpacks it into a file of its own, byte for byte, and runs it in the same shell.
 * A shebang of a shell stays the first line; with another one, the file is run as a program.
 */
export function packScript(script: string, compress: Compress): string {
  const shebang = shebangOf(script).trimEnd()
  const run = isForShell(script)
    ? '. "$slipway_onstart"'
    : 'chmod 700 "$slipway_onstart" && "$slipway_onstart"'
  const line =
    `if slipway_onstart=$(mktemp) && printf %s '${compress(script)}' | base64 -d | gzip -dc >"$slipway_onstart"; ` +
    `then ${run}; else echo 'The start script could not be unpacked' >&2; false; fi`
  return isForShell(script) && shebang !== '' ? `${shebang}\n${line}` : line
}

/**
 * The start script with a first step that allows `publicKey` to log in, unless it may already. A shebang stays the first
 * line.
 *
 * @param script for a shell; may be empty
 * @param publicKey one line in OpenSSH's format (`ssh-ed25519 AAAA… comment`)
 * @throws RangeError when the key is not one plain line: it would become part of the script
 */
export function withAuthorizedKey(script: string, publicKey: string): string {
  // Single quotes around it in the script, so neither a quote nor a line break may be in it.
  if (!/^[\w@.:+/= -]+$/.test(publicKey)) throw new RangeError('Not one line of a public key')
  // Without its comment, which whoever has put it there may have changed; at the start of a line, where nothing limits it.
  const keyItself = publicKey.split(' ', 2).join(' ')
  // On a line of its own, also where the last one of the file has no end.
  const step =
    `mkdir -p ~/.ssh && chmod 700 ~/.ssh && { grep -qs '^${keyItself}' ~/.ssh/authorized_keys` +
    ` || printf '\\n%s\\n' '${publicKey}' >> ~/.ssh/authorized_keys; } && chmod 600 ~/.ssh/authorized_keys`
  const shebang = shebangOf(script)
  const rest = script.slice(shebang.length)
  return [shebang.trimEnd(), step, rest].filter((part) => part !== '').join('\n')
}

/** Whether a POSIX shell can run it: by its shebang, or because it has none. */
function isForShell(script: string): boolean {
  const shebang = shebangOf(script).trimEnd()
  return shebang === '' || /[/ ](?:ba|da|a|k|z)?sh(?: |$)/.test(shebang)
}

function shebangOf(script: string): string {
  return /^#![^\n]*\n?/.exec(script)?.[0] ?? ''
}

/** Characters, not the 16-bit units of `length`. */
function lengthOf(text: string): number {
  return Array.from(text).length
}
