import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../domain/base/clock.ts'
import { Latest } from '../../../domain/base/latest.ts'
import type { SshAddress } from '../../../domain/ssh/ssh.ts'
import { SshFailure } from '../failure.ts'
import { openFirst } from './open-first.ts'
import { openSocket, type OpenTransport } from './transport.ts'

/** What asking an instance's addresses for an SSH greeting came to. */
export interface AddressProbe {
  /** Those that were asked. */
  readonly addresses: readonly SshAddress[]
  /** The one that greeted first; `none` where none did in time, `not-asked` where a jump host stands before them. */
  readonly answer: SshAddress | 'none' | 'not-asked'
  /** When, ms since the epoch. */
  readonly at: number
}

/** Whoever waits for it is at the screen: twice what an address that answers at all takes as a rule. */
const patienceMs = 3_000

export interface AddressProbesOptions {
  readonly clock: Clock
  readonly open?: OpenTransport
}

/**
 * Which of an instance's addresses greets as an SSH server, asked without logging in: for programs that try only one
 * address, as long as no login has told. Nothing is sent. It's known until Slipway ends, as networks change.
 */
export class AddressProbes {
  /** By instance id. */
  readonly latest = new Latest<ReadonlyMap<number, AddressProbe>>(new Map())
  readonly #open: OpenTransport
  readonly #clock: Clock
  readonly #underway = new Map<number, Promise<void>>()
  readonly #end = new AbortController()

  constructor({ clock, open = openSocket }: AddressProbesOptions) {
    this.#clock = clock
    this.#open = open
  }

  /** What was last found of these very addresses. */
  of(instanceId: number, addresses: readonly SshAddress[]): AddressProbe | null {
    const found = this.latest.value.get(instanceId)
    return found !== undefined && isDeepStrictEqual(found.addresses, addresses) ? found : null
  }

  /**
   * Asks them, or waits for who asks the instance already. Resolves when `of` tells the answer, within 3 seconds.
   *
   * @param addresses in order of preference
   */
  probe(instanceId: number, addresses: readonly SshAddress[]): Promise<void> {
    const probing =
      this.#underway.get(instanceId) ??
      this.#ask(instanceId, addresses).finally(() => this.#underway.delete(instanceId))
    this.#underway.set(instanceId, probing)
    return probing
  }

  /** A jump host stands before them, which would have to be logged in to. */
  skip(instanceId: number, addresses: readonly SshAddress[]): void {
    this.#note(instanceId, addresses, 'not-asked')
  }

  /** What is asked now is given up. */
  async dispose(): Promise<void> {
    this.#end.abort(new Error('the account is closed'))
    await Promise.all(this.#underway.values())
  }

  async #ask(instanceId: number, addresses: readonly SshAddress[]): Promise<void> {
    const answer = await this.#firstOf(addresses)
    if (!this.#end.signal.aborted) this.#note(instanceId, addresses, answer)
  }

  #note(instanceId: number, addresses: readonly SshAddress[], answer: AddressProbe['answer']): void {
    const at = this.#clock.now()
    this.latest.set(new Map(this.latest.value).set(instanceId, { addresses, answer, at }))
  }

  async #firstOf(addresses: readonly SshAddress[]): Promise<SshAddress | 'none'> {
    const over = new AbortController()
    const signal = AbortSignal.any([this.#end.signal, over.signal])
    const late = new Error('no address answered in time')
    this.#clock.sleep(patienceMs, signal).then(
      () => over.abort(late),
      () => undefined, // it answered in time
    )
    const race = { open: this.#open, clock: this.#clock, onTry: () => undefined, onFailed: () => undefined }
    try {
      const opened = await openFirst(addresses, race, signal)
      opened.close()
      return opened.address
    } catch (error) {
      if (error instanceof SshFailure || signal.aborted) return 'none'
      throw error
    } finally {
      over.abort(late)
    }
  }
}
