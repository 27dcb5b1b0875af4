import type { BackupCode, BackupCodeState, KeptIn, VaultAccount } from '../../../domain/vault/vault-view.ts'

/** A secret that the service has just given, before it is shown to anybody. */
export interface PendingTotp {
  readonly account: VaultAccount
  /** As the service gave it; the QR code is drawn of it. */
  readonly uri: string
  /** Base32, as confirm-new wants it back. */
  readonly secret: string
  readonly label: string
  /** `memory`: the user's choice without a keychain. */
  readonly keepIn: KeptIn
}

/** What a code that somebody typed says, compared with the secret on this machine. */
export type TypedCode =
  | { readonly kind: 'right'; readonly step: number }
  /** Right for another time: the clock of the phone, or of this machine, is off by about so much. */
  | { readonly kind: 'clock-off'; readonly bySeconds: number }
  | { readonly kind: 'wrong' }

/** The secret of an entry, for showing it or for giving it back to the service that made it. */
export interface TotpSecret {
  readonly secret: string
  readonly uri: string
  /** `uri` as a QR code: an SVG picture as a `data:` address. */
  readonly picture: string
}

/**
 * One-time passwords, seen from the 2FA flows. All methods throw ProblemError: `keychain-locked`,
 * `keychain-unavailable`, `secret-missing`, `storage-failed`; nothing was changed then.
 */
export interface TotpEntries {
  /** Written and read back when it resolves. */
  readonly addPending: (entry: PendingTotp) => Promise<{ readonly id: string; readonly keptIn: KeptIn }>
  /** The service has confirmed it. The keychain is not needed. */
  readonly activate: (id: string, methodId: number | null) => Promise<void>
  /** Its method is gone from the service. The keychain is not needed. */
  readonly orphan: (id: string) => Promise<void>
  readonly secretOf: (id: string) => Promise<TotpSecret>
  /**
   * A code to be sent to the service now. No step is given twice, also after a crash; with less than 3 s left, or
   * when the step was used, it waits for the next one.
   *
   * @param onWait told when waiting begins, with the time at which it ends (local clock, ms since the epoch)
   */
  readonly codeFor: (
    id: string,
    options: {
      readonly purpose: 'verify'
      readonly signal?: AbortSignal
      readonly onWait?: (untilMs: number) => void
    },
  ) => Promise<{ readonly code: string; readonly step: number }>
  readonly checkTyped: (id: string, code: string) => Promise<TypedCode>
  /** The code of this step was sent: {@link TotpEntries.codeFor} will not give it again. */
  readonly noteUsed: (id: string, step: number) => Promise<void>
  /** The entry of a method of the service, if its secret is here. The keychain is not asked. */
  readonly find: (account: VaultAccount, methodId: number) => string | null
}

/** Backup codes, seen from the flows. They throw as {@link TotpEntries} do. */
export interface BackupCodeSets {
  /**
   * Keeps new codes; those that they replace are deleted afterwards. Never loses them: when the keychain does not
   * take them, they are in memory, and `keptIn` says so.
   */
  readonly store: (set: {
    readonly account: VaultAccount
    readonly codes: readonly string[]
    readonly keepIn: KeptIn
  }) => Promise<{ readonly id: string; readonly keptIn: KeptIn }>
  readonly codes: (setId: string) => Promise<readonly BackupCode[]>
  /** The set in use, whether the service has replaced it or not. The keychain is not asked. */
  readonly current: (account: VaultAccount) => string | null
  /** The next code to try: an unused one, or else one that may be used; `null` when none is left. */
  readonly next: (setId: string) => Promise<string | null>
  /** A code that is in no set is ignored: it was typed from paper. */
  readonly mark: (account: VaultAccount, code: string, state: BackupCodeState) => Promise<void>
  /** New codes were asked for, and the reply was lost. The next count decides. */
  readonly markUncertain: (account: VaultAccount) => Promise<void>
  /** @param count `backup_codes_remaining` of the service's status */
  readonly reconcile: (account: VaultAccount, count: number) => Promise<void>
}
