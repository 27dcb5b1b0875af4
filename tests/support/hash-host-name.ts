import { createHmac, randomBytes } from 'node:crypto'

/** A host's name as OpenSSH hashes it in known_hosts (`HashKnownHosts`): `|1|salt|HMAC-SHA1`. */
export function hashHostName(name: string): string {
  const salt = randomBytes(20)
  const hash = createHmac('sha1', salt).update(name).digest('base64')
  return `|1|${salt.toString('base64')}|${hash}`
}
