/** Longest start script that the service takes, in characters (service API 4.4, 8). */
export const onstartLimit = 4048

/**
 * The start script with a first step that allows `publicKey` to log in. A shebang stays the first line.
 *
 * @param script what the user wrote; may be empty
 * @param publicKey one line in OpenSSH's format (`ssh-ed25519 AAAA… comment`)
 * @throws RangeError when the key is not one plain line: it would become part of the script
 */
export function withAuthorizedKey(script: string, publicKey: string): string {
  // Single quotes around it in the script, so neither a quote nor a line break may be in it.
  if (!/^[\w@.:+/= -]+$/.test(publicKey)) throw new RangeError('Not one line of a public key')
  const step =
    `mkdir -p ~/.ssh && chmod 700 ~/.ssh && printf '%s\\n' '${publicKey}' >> ~/.ssh/authorized_keys` +
    ` && chmod 600 ~/.ssh/authorized_keys`
  const shebang = /^#![^\n]*\n?/.exec(script)?.[0] ?? ''
  const rest = script.slice(shebang.length)
  return [shebang.trimEnd(), step, rest].filter((part) => part !== '').join('\n')
}
