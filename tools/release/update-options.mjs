// What a build is told about updates, from the environment: where they lie, and whose signature they bear.
import { createPublicKey } from 'node:crypto'

/**
 * Options for electron-builder; none where the environment names no place for updates.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string[]}
 * @throws Error that says what is wrong
 */
export function updateOptions(env) {
  const [url, publicKey] = [env['SLIPWAY_UPDATE_URL'], env['SLIPWAY_UPDATE_PUBLIC_KEY']]
  if (!url && !publicKey) return []
  if (!url || !publicKey) throw new Error('SLIPWAY_UPDATE_URL and SLIPWAY_UPDATE_PUBLIC_KEY go together')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error('SLIPWAY_UPDATE_URL is not an https address')
  if (kindOf(publicKey) !== 'ed25519')
    throw new Error(
      'SLIPWAY_UPDATE_PUBLIC_KEY is not an Ed25519 key: `npm run release:sign -- --new-key` makes one',
    )
  return [
    '-c.publish.provider=generic',
    `-c.publish.url=${url}`,
    `-c.extraMetadata.updates.publicKey=${publicKey}`,
  ]
}

function kindOf(base64) {
  try {
    const key = createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType
  } catch {
    return 'none'
  }
}
