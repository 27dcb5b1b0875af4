// What electron-builder says of a release in latest*.yml, and its signature.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { release, signatureField, signedText } from '../../src-main/domain/release.ts'
import { readYaml } from './yaml.mjs'

/**
 * The file with a signature as its last line, in the place of one that it had.
 *
 * @param {string} name of the file, such as `latest-linux.yml`: the signature is for this one only
 * @param {string} text of latest*.yml
 * @param {string} privateKey Ed25519, PKCS#8 in DER and Base64
 * @returns {string}
 */
export function signReleaseFile(name, text, privateKey) {
  const unsigned = text
    .split('\n')
    .filter((line) => !line.startsWith(`${signatureField}:`))
    .join('\n')
    .trimEnd()
  const signature = sign(
    null,
    Buffer.from(signedText(release.parse(readYaml(unsigned)), name)),
    privateKeyOf(privateKey),
  )
  return `${unsigned}\n${signatureField}: ${signature.toString('base64')}\n`
}

/**
 * What goes into the build for such a private key.
 *
 * @param {string} privateKey as above
 * @returns {string} SPKI in DER and Base64
 */
export function publicKeyOf(privateKey) {
  return createPublicKey(privateKeyOf(privateKey)).export({ format: 'der', type: 'spki' }).toString('base64')
}

function privateKeyOf(base64) {
  const key = createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key that signs releases is an Ed25519 key')
  return key
}
