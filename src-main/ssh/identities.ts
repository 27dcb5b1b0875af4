/** A private key that may be tried; never leaves main. */
export interface Identity {
  /** As the user knows it: "Slipway's key", a path. */
  readonly name: string
  /** OpenSSH or PEM text, without a passphrase. */
  readonly privateKey: string
}

/** What a login is tried with, in this order; `skipped` names what could not be used, and why. */
export interface Identities {
  readonly keys: readonly Identity[]
  readonly agentSocket: string | null
  readonly skipped: readonly string[]
}
