import { generateKeyPairSync } from 'node:crypto'
import { publicKeyOf } from '../../../tools/release/release-file.mjs'

export interface SigningKey {
  readonly privateKey: string
  readonly publicKey: string
}

/** A key to sign releases with, and what goes into a build for it. */
export function signingKey(): SigningKey {
  const { privateKey: key } = generateKeyPairSync('ed25519')
  const privateKey = key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}
