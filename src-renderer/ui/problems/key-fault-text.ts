import type { KeyFault, PlainKeyFault, SkippedKey } from '#domain/base/key-fault.ts'

const plainFaults: Readonly<Record<PlainKeyFault, string>> = {
  folder: 'it’s a folder',
  'not-a-file': 'it’s not a file',
  'too-long': 'it’s too long to be a key',
  'no-file': 'there is no such file',
  'no-permission': 'you don’t have permission to read it',
  unreadable: 'it can’t be read',
  'not-a-key': 'it’s not a private key',
  'public-key': 'it holds a public key; the private one is needed',
  certificate:
    'it’s a certificate, and Slipway can’t log in with certificates; choose the private key itself',
  'security-key': 'it needs a security key (FIDO), which Slipway can’t use; create a key without one',
  dsa: 'it’s a DSA key, which SSH servers no longer accept; create an Ed25519 key',
  putty: 'it’s in a PuTTY format that Slipway can’t read; export it in OpenSSH format with PuTTYgen',
  locked: 'its passphrase wasn’t entered',
  'cannot-sign': 'it can’t sign',
  'did-not-sign': 'it didn’t sign',
  'no-keys': 'it holds no keys',
  'no-named-key': 'it holds no key that an identity file names',
  'not-in-keychain': 'it’s no longer in the keychain',
  'keychain-locked': 'the keychain is locked',
  'keychain-unavailable': 'the keychain isn’t available',
  'no-attempts-left': 'the host allows no more attempts',
}

/** Why a key can't be used, as the end of a sentence. */
export function keyFaultText(fault: KeyFault): string {
  switch (fault.code) {
    case 'malformed':
      return `it can’t be read as a private key (${fault.detail})`
    case 'not-listed':
      return `it didn’t list its keys: ${fault.detail}`
    case 'not-read':
      return `it can’t be read: ${fault.detail}`
    case 'cipher':
      return `it’s encrypted with ${fault.cipher}, which Slipway can’t read; to change that, run “ssh-keygen -p -Z aes256-ctr -f” with its path`
    case 'key-type':
      return `SSH doesn’t know keys of its type (${fault.type})`
    case 'too-many':
      return `Slipway offers ${fault.most}; choose yours by adding its public key file as an identity file`
    default:
      return plainFaults[fault.code]
  }
}

/** What wasn't tried at a login, as a sentence; empty for nothing. */
export function skippedText(skipped: readonly SkippedKey[]): string {
  if (skipped.length === 0) return ''
  return `Not usable: ${skipped.map(({ name, why }) => `${name} (${keyFaultText(why)})`).join(', ')}.`
}
