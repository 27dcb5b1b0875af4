import { createRequire, syncBuiltinESMExports } from 'node:module'
import type Crypto from 'node:crypto'

// Imported before anything that uses node:crypto: from then on it has no more than it has in Electron, whose Node
// is built on Chromium's BoringSSL. Workers and child processes have an OpenSSL of their own.

/** What `getCiphers` answers in Electron 45: BoringSSL's evp_do_all.cc with Electron's patch to it. */
export const ciphers: readonly string[] = [
  ...['128', '192', '256'].flatMap((bits) =>
    ['cbc', 'ctr', 'ecb', 'gcm', 'ofb'].map((mode) => `aes-${bits}-${mode}`),
  ),
  ...['aes-128-cfb', 'aes-256-cfb', 'bf-cbc', 'bf-cfb', 'bf-ecb'],
  ...['des-cbc', 'des-ecb', 'des-ede', 'des-ede-cbc', 'des-ede3', 'des-ede3-cbc', 'rc2-cbc', 'rc4'],
]
/** `getCurves`: BoringSSL's EC_get_builtin_curves. */
export const curves: readonly string[] = ['secp224r1', 'prime256v1', 'secp384r1', 'secp521r1']
/** `createHash`: BoringSSL's digests by name, and the one of Electron's patch. */
const hashes: readonly string[] = [
  ...['md4', 'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256', 'ripemd160'],
  ...['rsa-md5', 'rsa-sha1', 'rsa-sha224', 'rsa-sha256', 'rsa-sha384', 'rsa-sha512'],
]
const keyKinds: readonly string[] = ['rsa', 'ec', 'ed25519', 'x25519', 'dsa']

/**
 * How long Electron's main stands still for each MODP group that is made: Node asks for `verifyError` at once, and
 * BoringSSL's DH_check tests the prime for being one, also where it is a well-known one.
 */
const groupSeconds: Readonly<Record<string, number>> = {
  modp5: 0.2,
  modp14: 0.5,
  modp15: 1.5,
  modp16: 3.4,
  modp17: 11,
  modp18: 26,
}
/** A group above this is not made here, and told as a failure: a test would take as long as main stands still. */
const standstillSeconds = 1

/** The groups that were made since the start. */
export const groupsMade: string[] = []

const crypto = createRequire(import.meta.url)('node:crypto') as typeof Crypto
const real = { ...crypto }

function refusing<Made extends (name: never, ...rest: never[]) => unknown>(
  make: Made,
  has: (name: string) => boolean,
  message: string,
): Made {
  const stricter = (name: unknown, ...rest: unknown[]): unknown => {
    if (!has(String(name).toLowerCase())) throw new Error(message)
    return Reflect.apply(make, crypto, [name, ...rest])
  }
  return stricter as unknown as Made
}

const makeGroup = (name: string): Crypto.DiffieHellmanGroup => {
  const seconds = groupSeconds[name]
  if (seconds === undefined) throw new Error('Unknown DH group')
  if (seconds > standstillSeconds)
    throw new Error(`With BoringSSL ${name} keeps main from everything else for ${seconds} s`)
  groupsMade.push(name)
  return real.createDiffieHellmanGroup(name)
}
const hasCipher = (name: string): boolean => ciphers.includes(name)
const hasHash = (name: string): boolean => hashes.includes(name)
Object.assign(crypto, {
  getCiphers: () => [...ciphers],
  getCurves: () => [...curves],
  getHashes: () => [...hashes],
  createCipheriv: refusing(real.createCipheriv, hasCipher, 'Unknown cipher'),
  createDecipheriv: refusing(real.createDecipheriv, hasCipher, 'Unknown cipher'),
  createHash: refusing(real.createHash, hasHash, 'Digest method not supported'),
  createHmac: refusing(real.createHmac, hasHash, 'Invalid digest'),
  createECDH: refusing(real.createECDH, (name) => curves.includes(name), 'Invalid EC curve name'),
  generateKeyPair: refusing(real.generateKeyPair, (kind) => keyKinds.includes(kind), 'Unsupported key type'),
  generateKeyPairSync: refusing(
    real.generateKeyPairSync,
    (kind) => keyKinds.includes(kind),
    'Unsupported key type',
  ),
  createDiffieHellmanGroup: makeGroup,
  getDiffieHellman: makeGroup,
})
syncBuiltinESMExports()
Object.defineProperty(process.features, 'openssl_is_boringssl', { value: true, configurable: true })
