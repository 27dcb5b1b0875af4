import { createCipheriv } from 'node:crypto'
import { z } from 'zod'
import { SerialQueue } from '../../../domain/base/serial-queue.ts'
import { gcmCipher, gcmIvBytes, gcmTagBytes, openGcm } from '../aes-gcm.ts'
import { closedProblem } from '../keychain/keychain-problem.ts'
import type { Keychain } from '../keychain/keychain.ts'

const sealKeyEntry = z.object({ sealKey: z.string() })
/**
 * Not in the vault's index: when it is lost, what was sealed with it is merely not known any more, and a new one
 * takes its place.
 */
export const entry = 'seal/requests'

export interface SealOptions {
  readonly keychain: Pick<Keychain, 'read' | 'write'>
  readonly randomBytes: (count: number) => Buffer
}

/**
 * Seals what is too long for a keychain and may hold secrets, so that it can lie in a file: AES-256-GCM under a
 * key from the keychain. While there is none that opens, the key lasts for this run, and so does what it sealed.
 */
export class Seal {
  readonly #options: SealOptions
  #key: Buffer | null = null
  /** Two first seals at once would each make a key, and what was sealed with the one that is overwritten is lost. */
  readonly #queue = new SerialQueue()

  constructor(options: SealOptions) {
    this.#options = options
  }

  async seal(text: string): Promise<string> {
    const key = await this.#queue.take(async () => (this.#key ??= await this.#findKey()))
    const iv = this.#options.randomBytes(gcmIvBytes)
    const sealing = createCipheriv(gcmCipher, key, iv)
    const sealed = Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()])
    return sealed.toString('base64url')
  }

  /** `null` when the key is gone. @throws ProblemError keychain-locked, keychain-unavailable: later it may open */
  async open(sealed: string): Promise<string | null> {
    const bytes = Buffer.from(sealed, 'base64url')
    const opened = this.#key && unseal(bytes, this.#key)
    if (opened !== null) return opened
    const answer = await this.#options.keychain.read(entry, sealKeyEntry)
    if (answer.kind === 'absent') return null
    if (answer.kind !== 'found') throw closedProblem(answer)
    return unseal(bytes, Buffer.from(answer.value.sealKey, 'base64url'))
  }

  async #findKey(): Promise<Buffer> {
    const { keychain, randomBytes } = this.#options
    const answer = await keychain.read(entry, sealKeyEntry)
    if (answer.kind === 'found') return Buffer.from(answer.value.sealKey, 'base64url')
    const made = randomBytes(32)
    if (answer.kind === 'absent') await keychain.write(entry, { sealKey: made.toString('base64url') })
    return made
  }
}

/** `null` when it was sealed with another key. */
function unseal(bytes: Buffer, key: Buffer): string | null {
  if (bytes.length < gcmIvBytes + gcmTagBytes) return null
  const opened = openGcm(key, {
    iv: bytes.subarray(0, gcmIvBytes),
    sealed: bytes.subarray(gcmIvBytes, -gcmTagBytes),
    tag: bytes.subarray(-gcmTagBytes),
  })
  return opened?.toString('utf8') ?? null
}
