import { base32Alphabet } from '../../../domain/vault/otp.ts'

/** Bytes as base32 without padding (RFC 4648 section 6). */
export function encodeBase32(bytes: Buffer): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    bits += 8
    for (; bits >= 5; bits -= 5) text += base32Alphabet.charAt((held >> (bits - 5)) & 31)
  }
  return bits === 0 ? text : text + base32Alphabet.charAt((held << (5 - bits)) & 31)
}

/** Base64 (RFC 4648 section 4), with or without padding. `null` for anything else: Node itself leaves out what is none. */
export function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const withoutPadding = (padded: string): string => padded.replace(/={1,2}$/, '')
  return withoutPadding(bytes.toString('base64')) === withoutPadding(text) ? bytes : null
}
