import type { SkippedKey } from '../../../domain/base/key-fault.ts'
import type { AskPassphrase, Opened } from './locked-keys.ts'

/** A private key that may be tried; never leaves main. */
export interface Identity {
  /** As the user knows it: "Slipway's key", a path. */
  readonly name: string
  /** OpenSSH or PEM text, without a passphrase. */
  readonly privateKey: string
}

/** One that needs its passphrase first, which is asked for only when it is this key's turn. */
export interface LockedIdentity {
  readonly name: string
  /** In SSH's wire format; where it is known, the machine is asked first whether it would take the key. */
  readonly publicKey: Buffer | null
  readonly open: (ask: AskPassphrase) => Promise<Opened>
}

/** What a login is tried with, in this order; `skipped` names what could not be used, and why. */
export interface Identities {
  readonly keys: readonly (Identity | LockedIdentity)[]
  readonly agentSocket: string | null
  /** Of the agent's keys only these, in SSH's wire format; all where there is no such list. */
  readonly agentKeys?: readonly Buffer[]
  /** Of the agent's keys those that an identity file names, which are offered before the others. */
  readonly agentKeysFirst?: readonly Buffer[]
  readonly skipped: readonly SkippedKey[]
  /** What the connection before was tried with, where that left no try for what the user is asked for. */
  readonly triedBefore?: readonly string[]
}
