import type { KeyObject } from 'node:crypto'
import { sshString, uint32 } from './agent-frames.ts'
import { algorithmOf } from '../protocol/public-key.ts'

/** What a private key in OpenSSH's own format tells without its passphrase (PROTOCOL.key of OpenSSH). */
export interface OpenSshKey {
  /** `none` when it is not encrypted. */
  readonly cipher: string
  readonly algorithm: string
  /** In SSH's wire format. */
  readonly publicKey: Buffer
}

const magic = Buffer.from('openssh-key-v1\0')
const armour = /-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----/

/** `null` for anything else. */
export function readOpenSshKey(text: string): OpenSshKey | null {
  const [, base64] = armour.exec(text) ?? []
  if (base64 === undefined) return null
  const bytes = Buffer.from(base64, 'base64')
  if (!bytes.subarray(0, magic.length).equals(magic)) return null
  let rest = bytes.subarray(magic.length)
  const next = (): Buffer => {
    const length = rest.length < 4 ? 0 : rest.readUInt32BE(0)
    const value = rest.subarray(4, 4 + length)
    rest = rest.subarray(4 + length)
    return value
  }
  const cipher = next().toString('latin1')
  next() // the way from passphrase to key
  next() // and its options
  if (rest.length < 4 || rest.readUInt32BE(0) !== 1) return null
  rest = rest.subarray(4)
  const publicKey = next()
  const algorithm = algorithmOf(publicKey)
  return algorithm === null ? null : { cipher, algorithm, publicKey }
}

/** An Ed25519 key as OpenSSH writes it, without a passphrase: ssh2 reads no other form of it. */
export function writeOpenSshEd25519(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' })
  const [seed, point] = [Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]
  const type = sshString(Buffer.from('ssh-ed25519'))
  const publicKey = Buffer.concat([type, sshString(point)])
  const check = uint32(0x51_1b_a7_01) // twice the same; a passphrase that does not fit would show there
  const secret = Buffer.concat([
    check,
    check,
    type,
    sshString(point),
    sshString(Buffer.concat([seed, point])),
    uint32(0),
  ])
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (secret.length % 8)) % 8))
  const none = sshString(Buffer.from('none'))
  const whole = Buffer.concat([
    magic,
    none,
    none,
    uint32(0),
    uint32(1),
    sshString(publicKey),
    sshString(Buffer.concat([secret, padding])),
  ])
  const lines = whole.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}
