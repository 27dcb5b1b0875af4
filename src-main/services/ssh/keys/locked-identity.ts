import ssh2, { type ParsedKey, type SignCallback, type SigningRequestOptions } from 'ssh2'
import type { KeyFault } from '../../../domain/base/key-fault.ts'
import type { Opened } from './locked-keys.ts'
import { firstKey } from './private-key.ts'

/** The key was not opened, or turned out to be another one. */
export class KeyStaysLocked extends Error {
  readonly why: KeyFault
  constructor(why: KeyFault) {
    super(why.code)
    this.name = 'KeyStaysLocked'
    this.why = why
  }
}

/**
 * A locked key as an agent with this one key: ssh2 asks the machine whether it would take it, and only then
 * wants a signature, for which the key is opened.
 */
export class LockedIdentityAgent extends ssh2.BaseAgent<ParsedKey> {
  readonly #publicKey: Buffer
  readonly #open: () => Promise<Opened>

  /** @param publicKey in SSH's wire format */
  constructor(publicKey: Buffer, open: () => Promise<Opened>) {
    super()
    this.#publicKey = publicKey
    this.#open = open
  }

  override getIdentities(tell: (error: Error | null, keys?: ParsedKey[]) => void): void {
    const key = firstKey(ssh2.utils.parseKey(this.#publicKey))
    if (key instanceof Error) tell(key)
    else tell(null, [key])
  }

  override sign(
    _: ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    const [{ hash }, tell] = typeof options === 'function' ? [{}, options] : [options, callback]
    this.#signed(data, hash).then(
      (signature) => tell?.(null, signature),
      (error: unknown) => tell?.(error instanceof Error ? error : new Error(String(error))),
    )
  }

  async #signed(data: Buffer, hash: string | undefined): Promise<Buffer> {
    const opened = await this.#open()
    if (opened.kind === 'unusable') throw new KeyStaysLocked(opened.why)
    const key = firstKey(ssh2.utils.parseKey(opened.privateKey))
    if (key instanceof Error) throw new KeyStaysLocked({ code: 'unreadable' })
    const signature: unknown = key.sign(data, hash)
    if (!Buffer.isBuffer(signature)) throw new KeyStaysLocked({ code: 'cannot-sign' })
    return signature
  }
}
