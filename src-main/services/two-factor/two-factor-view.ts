import {
  improvements,
  isUpgradable,
  type Improvement,
  type KnownTwoFactor,
  type TwoFactorMethod,
  type UnfinishedStep,
} from '../../domain/two-factor/two-factor.ts'
import type { MethodRecord, TwoFactorRecord } from '../../domain/two-factor/methods.ts'
import type { User } from '../../domain/accounts/account.ts'

/** What the view of an account is made of. All times are this machine's, in ms, but for those in `status`. */
export interface TwoFactorFacts {
  readonly status: TwoFactorRecord
  /** `null` when the account's record could not be asked for. */
  readonly user: User | null
  /** What a refusal told of the address since the record was read. */
  readonly emailRefused: 'unverified' | 'missing' | null
  /** When the window to add methods closes, if this run opened it. */
  readonly windowClosesAt: number | null
  readonly isSmsDisabled: boolean
  readonly session: KnownTwoFactor['session']
  readonly isSessionLeft: boolean
  readonly unfinished: readonly UnfinishedStep[]
  /** The vault's entry of a method. */
  readonly entryOf: (methodId: number) => string | null
  readonly checkedAt: number
  readonly problem: KnownTwoFactor['problem']
  readonly isChecking: boolean
  readonly now: number
  /** A time of the service, in ms, on this machine's clock. */
  readonly toLocal: (serverMs: number) => number
}

export function twoFactorOf(facts: TwoFactorFacts): KnownTwoFactor {
  const { status, user, unfinished, checkedAt, problem, isChecking, session } = facts
  const view = {
    kind: 'known' as const,
    status: statusOf(status, user),
    isAdmin: user?.is_admin === true,
    email: facts.emailRefused ?? emailOf(user),
    methods: status.methods.map((method) => methodOf(method, facts)).sort(primaryFirst),
    unreadable: status.unreadable,
    backupCodesLeft: status.backup_codes_remaining ?? null,
    addWindow: windowOf(facts),
    sms: facts.isSmsDisabled ? ('disabled' as const) : ('available' as const),
    session,
    isSessionLeft: facts.isSessionLeft,
    unfinished,
    checkedAt,
    problem,
    isChecking,
  }
  return { ...view, improvements: improvementsOf(view) }
}

/** `tfa_enabled` doesn't tell legacy from enabled: the account's record does, if it can be read (service API 2.5, 4.6). */
function statusOf({ tfa_enabled }: TwoFactorRecord, user: User | null): KnownTwoFactor['status'] {
  if (!tfa_enabled) return 'off'
  const kind = user?.tfa_status
  return kind === 'legacy' || kind === 'enabled' ? kind : 'on'
}

function emailOf(user: User | null): KnownTwoFactor['email'] {
  // Nobody knows better than the service, which refuses when it is not so.
  if (user === null) return 'verified'
  if ((user.email ?? '') === '') return 'missing'
  return user.email_verified_at === null || user.email_verified_at === undefined ? 'unverified' : 'verified'
}

function windowOf({ status, windowClosesAt, now }: TwoFactorFacts): KnownTwoFactor['addWindow'] {
  if (status.new_method_authorized !== true) return { kind: 'closed' }
  return { kind: 'open', closesAt: windowClosesAt !== null && windowClosesAt > now ? windowClosesAt : null }
}

function methodOf(method: MethodRecord, { entryOf, toLocal, now }: TwoFactorFacts): TwoFactorMethod {
  const time = (seconds: number | null | undefined): number | null =>
    seconds === null || seconds === undefined ? null : toLocal(seconds * 1000)
  const lockedUntil = time(method.locked_until)
  const kind = method.method === 'totp' || method.method === 'sms' ? method.method : 'other'
  return {
    id: method.id,
    kind,
    kindName: method.method,
    label: method.label ?? '',
    maskedNumber: method.phone_number ?? null,
    isPrimary: method.is_primary === true,
    failCount: method.fail_count ?? 0,
    lockedUntil: lockedUntil !== null && lockedUntil > now ? lockedUntil : null,
    createdAt: time(method.created_at),
    lastUsedAt: time(method.last_used),
    entryId: kind === 'totp' ? entryOf(method.id) : null,
  }
}

function primaryFirst(one: TwoFactorMethod, other: TwoFactorMethod): number {
  return (
    Number(other.isPrimary) - Number(one.isPrimary) ||
    (one.createdAt ?? 0) - (other.createdAt ?? 0) ||
    one.id - other.id
  )
}

/** With as few codes as this, new ones are due. */
const fewCodes = 3

function improvementsOf({
  status,
  email,
  methods,
  unreadable,
  backupCodesLeft,
  unfinished,
}: Omit<KnownTwoFactor, 'improvements'>): readonly Improvement[] {
  const canUpgrade = isUpgradable({ status, methods, unreadable })
  const isOn = status !== 'off' && !canUpgrade
  const isLeft = (...kinds: readonly UnfinishedStep['kind'][]): boolean =>
    unfinished.some(({ kind }) => kinds.includes(kind))
  const codesLost = isLeft('codes-lost', 'codes-uncertain')
  const due: Readonly<Record<Improvement, boolean>> = {
    'verify-email': email !== 'verified',
    'set-up': status === 'off',
    'upgrade-legacy': canUpgrade,
    'renew-lost-codes': codesLost,
    'add-totp': isOn && !methods.some(({ kind }) => kind === 'totp'),
    'save-codes': isLeft('codes-unsaved'),
    'renew-codes': isOn && backupCodesLeft !== null && backupCodesLeft <= fewCodes && !codesLost,
    'add-second-method': isOn && methods.length === 1,
  }
  return improvements.filter((each) => due[each])
}
