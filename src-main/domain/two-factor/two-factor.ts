import { z } from 'zod'
import { problem } from '../base/problem.ts'
import { unreadableRecords } from '../rental-api/unreadable-record.ts'
import { twoFactorFlow } from './flow.ts'
import { methodKind } from './methods.ts'

/**
 * A 2FA method as it is shown. All times are milliseconds since the epoch on this machine's clock: what the
 * service says in its own time is corrected by the difference that was measured.
 */
const twoFactorMethod = z.object({
  id: z.number().int(),
  /** `other`: a kind that this version does not know. It is shown, and cannot be verified with. */
  kind: z.enum(['totp', 'sms', 'other']),
  /** The service's own word for the kind. */
  kindName: z.string(),
  label: z.string(),
  /** Only its last digits are visible. */
  maskedNumber: z.string().nullable(),
  isPrimary: z.boolean(),
  failCount: z.number(),
  /** `null` when it is not locked now. */
  lockedUntil: z.number().nullable(),
  createdAt: z.number().nullable(),
  lastUsedAt: z.number().nullable(),
  /** The vault's entry that makes codes for it. */
  entryId: z.string().nullable(),
})
export type TwoFactorMethod = z.infer<typeof twoFactorMethod>

/** What was left undone, by a lost reply, a crash or a closed window; each says what to do about it. */
const unfinishedStep = z.discriminatedUnion('kind', [
  /** Whether the method was added is being asked for: the reply never came. */
  z.object({ kind: z.literal('confirm-lost'), id: z.string(), method: methodKind, at: z.number() }),
  /** 2FA was switched on, and its backup codes were lost with the reply: make new ones (`regenerate`). */
  z.object({ kind: z.literal('codes-lost'), id: z.string(), at: z.number() }),
  /**
   * New codes were asked for and the reply never came. `replaced`: the count shows that the old ones are void;
   * `null` when it cannot tell. Either way `regenerate` settles it.
   */
  z.object({
    kind: z.literal('codes-uncertain'),
    id: z.string(),
    at: z.number(),
    replaced: z.boolean().nullable(),
  }),
  /** The codes are in the vault and were never saved off this machine: `resumeSaving` opens the gate again. */
  z.object({ kind: z.literal('codes-unsaved'), id: z.string(), at: z.number() }),
  /** A TOTP secret that was set up and never confirmed; its entry in the vault is pending. */
  z.object({ kind: z.literal('setup-abandoned'), id: z.string(), entryId: z.string(), at: z.number() }),
])
export type UnfinishedStep = z.infer<typeof unfinishedStep>

/** What to do next for the account's safety. They are told in this order. */
export const improvements = [
  'verify-email',
  'set-up',
  'upgrade-legacy',
  'renew-lost-codes',
  'add-totp',
  'save-codes',
  'renew-codes',
  'add-second-method',
] as const
const improvement = z.enum(improvements)
export type Improvement = z.infer<typeof improvement>

/** `on`: the service says that it's on, and the account's record doesn't say whether it's `enabled` or `legacy`. */
export const twoFactorStatus = z.enum(['off', 'on', 'enabled', 'legacy'])

const knownAccount = z.object({
  kind: z.literal('known'),
  status: twoFactorStatus,
  isAdmin: z.boolean(),
  /** Without a verified address the service sends no code and sets nothing up (service API 4.7, prerequisites). */
  email: z.enum(['verified', 'unverified', 'missing']),
  /** The primary one first. */
  methods: z.array(twoFactorMethod).readonly(),
  unreadable: unreadableRecords,
  /** As the service counts them; `null` when it does not say. */
  backupCodesLeft: z.number().nullable(),
  /** `closesAt` is `null` when another program or an earlier run opened it: at most 30 minutes are left. */
  addWindow: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('closed') }),
    z.object({ kind: z.literal('open'), closesAt: z.number().nullable() }),
  ]),
  /** `disabled`: the service flagged the account for SMS fraud; only its support can undo that. */
  sms: z.enum(['available', 'disabled']),
  /** A session that a 2FA login opened; used for everything here in place of the API key. */
  session: z
    .object({ isAdmin: z.boolean(), since: z.number(), keptIn: z.enum(['keychain', 'memory']) })
    .nullable(),
  /** A session was ended while the keychain was closed: its key is used no more, and goes once the keychain opens. */
  isSessionLeft: z.boolean(),
  unfinished: z.array(unfinishedStep).readonly(),
  improvements: z.array(improvement).readonly(),
  checkedAt: z.number(),
  /** Why the newest check failed (offline, for example): what is shown is as old as `checkedAt`. */
  problem: problem.nullable(),
  isChecking: z.boolean(),
})

/** What is known of the account's 2FA. */
const accountTwoFactor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no-account') }),
  /** Nothing is known yet; `problem` says why asking failed. */
  z.object({ kind: z.literal('unknown'), problem: problem.nullable(), isChecking: z.boolean() }),
  /** 2FA belongs to persons; a team's key is refused. The vault works all the same. */
  z.object({ kind: z.literal('team'), message: z.string(), checkedAt: z.number() }),
  knownAccount,
])
export type AccountTwoFactor = z.infer<typeof accountTwoFactor>
export type KnownTwoFactor = z.infer<typeof knownAccount>

/** Whether new backup codes make the phone number on file a method: legacy, and no record of one (service API 3.2). */
export function isUpgradable({
  status,
  ...account
}: Pick<KnownTwoFactor, 'status' | 'methods' | 'unreadable'>): boolean {
  return status === 'legacy' && isWithoutMethods(account)
}

/** Whether the service lists no method at all; a record that can't be read may be one. */
export function isWithoutMethods({
  methods,
  unreadable,
}: Pick<KnownTwoFactor, 'methods' | 'unreadable'>): boolean {
  return methods.length + unreadable.length === 0
}

/** Everything the security page shows of the account; `flow` is the one guided procedure under way. */
export const twoFactorState = z.object({ account: accountTwoFactor, flow: twoFactorFlow.nullable() })
export type TwoFactorState = z.infer<typeof twoFactorState>
