import { createPublicKey, verify } from 'node:crypto'
import { signatureField, signedText, type Release } from './release.ts'

/**
 * Whether the release bears a signature by the owner of this key, made for this release file.
 *
 * @param releaseFile as `releaseFileFor` names it
 * @param publicKey Ed25519, SPKI in DER and Base64
 */
export function isSigned(release: Release, releaseFile: string, publicKey: string): boolean {
  const signature = release[signatureField]
  if (signature === undefined) return false
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  // Any other kind of key would decide by itself what a signature is.
  if (key.asymmetricKeyType !== 'ed25519') return false
  return verify(null, Buffer.from(signedText(release, releaseFile)), key, Buffer.from(signature, 'base64'))
}
