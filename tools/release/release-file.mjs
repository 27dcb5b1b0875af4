// What electron-builder says of a release in latest*.yml or beta*.yml, and its signature.
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { isPrerelease, release, signatureField, signedText } from '../../src-main/services/updates/release.ts'
import { readYaml } from './yaml.mjs'

/**
 * The file with a signature as its last line, in the place of one that it had.
 *
 * @param {string} name of the file, such as `latest-linux.yml`: the signature is for this one only
 * @param {string} text of that file
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
 * The signed files that come of one that electron-builder wrote: that of a release stands under the name of the other
 * channel as well, so that who gets pre-releases is offered the release that follows them.
 *
 * @param {string} name such as `latest-linux.yml` or `beta-linux.yml`
 * @param {string} text of that file
 * @param {string} privateKey as above
 * @returns {{ name: string, text: string }[]}
 * @throws Error for a pre-release where releases are looked for
 */
export function signedReleaseFiles(name, text, privateKey) {
  const { version } = release.parse(readYaml(text))
  const isForAll = name.startsWith('latest')
  if (isForAll && isPrerelease(version))
    throw new Error(`${name} is for releases, and ${version} is a pre-release`)
  const names = isForAll ? [name, name.replace('latest', 'beta')] : [name]
  return names.map((one) => ({ name: one, text: signReleaseFile(one, text, privateKey) }))
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
