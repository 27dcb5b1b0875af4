import { z } from 'zod'
import { accountUserId } from '../base/account-identity.ts'
import { otpParameters } from './otp.ts'

/** The account at a rental service that something in the vault belongs to. */
export const vaultAccount = z.object({ serviceAddress: z.string(), userId: accountUserId })
export type VaultAccount = z.infer<typeof vaultAccount>

export const keptIn = z.enum(['keychain', 'memory'])
export type KeptIn = z.infer<typeof keptIn>

/** Why the secret of an entry cannot be read now. `missing`: gone from a keychain that is open. */
const secretTrouble = z.enum(['locked', 'missing', 'unavailable'])
export type SecretTrouble = z.infer<typeof secretTrouble>

/** A one-time password, without its secret. */
export const vaultEntry = z.object({
  id: z.string(),
  issuer: z.string(),
  label: z.string(),
  parameters: otpParameters,
  /**
   * `pending`: the service has not confirmed it yet. `orphan`: its method is gone from the service; it is kept
   * until the user removes it.
   */
  state: z.enum(['pending', 'active', 'orphan']),
  /** `null`: of another service. */
  account: vaultAccount.nullable(),
  /** The `tfa_method_id` at the rental service, once it is known. */
  methodId: z.number().nullable(),
  addedAtMs: z.number(),
  keptIn,
})
export type VaultEntry = z.infer<typeof vaultEntry>

/** The code of an entry now. Times are the local clock's, so that `endsAtMs - Date.now()` is what is left. */
const vaultCode = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('code'),
    id: z.string(),
    code: z.string(),
    startsAtMs: z.number(),
    endsAtMs: z.number(),
    /** It was sent to the service already: it is not good a second time. */
    isUsed: z.boolean(),
  }),
  z.object({ kind: z.literal('none'), id: z.string(), trouble: secretTrouble }),
])
export type VaultCode = z.infer<typeof vaultCode>

/** Why secrets left the screen; `asked`: the user hid them. */
export const hiddenBy = z.enum(['idle', 'suspend', 'screen-lock', 'asked'])
export type HiddenBy = z.infer<typeof hiddenBy>

export const vaultCodes = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hidden'), by: hiddenBy }),
  z.object({ kind: z.literal('shown'), codes: z.array(vaultCode).readonly() }),
])
export type VaultCodes = z.infer<typeof vaultCodes>

/** `maybe-used`: sent, but its reply was lost, or the service's count says that some of these are gone. */
export const backupCodeState = z.enum(['unused', 'maybe-used', 'used'])
export type BackupCodeState = z.infer<typeof backupCodeState>

export const backupCode = z.object({ code: z.string(), state: backupCodeState })
export type BackupCode = z.infer<typeof backupCode>

/** How codes were saved off this machine; `declined`: the user said in words that they need not be. */
export const savedBy = z.enum(['file', 'print', 'copy', 'declined'])
export type SavedBy = z.infer<typeof savedBy>

/**
 * `uncertain`: new codes were asked for and the reply was lost. `outdated`: the service has others by now.
 */
export const backupStanding = z.enum(['current', 'uncertain', 'outdated'])
export type BackupStanding = z.infer<typeof backupStanding>

/** A set of backup codes, without the codes. */
export const backupSetView = z.object({
  id: z.string(),
  account: vaultAccount,
  addedAtMs: z.number(),
  keptIn,
  standing: backupStanding,
  unused: z.number().int(),
  maybeUsed: z.number().int(),
  used: z.number().int(),
  /** What the service counted last. */
  serviceCount: z.number().int().nullable(),
  /** `null`: not yet. */
  saved: savedBy.nullable(),
})
export type BackupSetView = z.infer<typeof backupSetView>

/**
 * What is known of the local clock's error. `offsetMs` is the true time minus the local one, `errorMs` how far
 * that may be wrong. `unchecked`: codes come from the local clock as it is.
 */
export const clockState = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('checked'),
    offsetMs: z.number(),
    errorMs: z.number(),
    checkedAtMs: z.number(),
    /** Far enough off for services to refuse codes of the local clock (10 s). */
    isWrong: z.boolean(),
  }),
  z.object({ kind: z.literal('unchecked'), lastCheckedAtMs: z.number().nullable() }),
])
export type ClockState = z.infer<typeof clockState>

export const screenState = z.object({
  /** `null`: secrets may be shown. */
  hiddenBy: hiddenBy.nullable(),
  /** Whether this system keeps the window out of screenshots while secrets are shown. Linux does not. */
  canProtect: z.boolean(),
})
export type ScreenState = z.infer<typeof screenState>

/** An instance's own key (service API 4.4), without the key. */
const instanceKeyView = z.object({ instanceId: z.number().int(), keptIn })
export type InstanceKeyView = z.infer<typeof instanceKeyView>

/** Everything about the vault but its secrets. */
export const vaultView = z.object({
  entries: z.array(vaultEntry).readonly(),
  backupSets: z.array(backupSetView).readonly(),
  /** Of the page's own account. */
  instanceKeys: z.array(instanceKeyView).readonly(),
  /** How many more there are, of other accounts that are connected: only their own pages show them. */
  elsewhere: z.object({ entries: z.number().int(), backupSets: z.number().int() }),
  clock: clockState,
  screen: screenState,
  /** When the clipboard will be cleared of what was copied last; `null` when nothing of the vault is in it. */
  clipboardClearsAtMs: z.number().nullable(),
})
export type VaultView = z.infer<typeof vaultView>
