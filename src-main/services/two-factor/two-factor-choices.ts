import {
  isWithoutMethods,
  type KnownTwoFactor,
  type TwoFactorMethod,
} from '../../domain/two-factor/two-factor.ts'
import type { ChoiceBlock, VerificationPurpose, VerifyChoice } from '../../domain/two-factor/verification.ts'
import type { BackupSetView } from '../../domain/vault/vault-view.ts'

export interface ChoiceFacts {
  readonly purpose: VerificationPurpose
  readonly account: KnownTwoFactor
  readonly emailAddress: string | null
  /** What refusals told during this run, by the id of the choice. */
  readonly blocks: ReadonlyMap<string, ChoiceBlock>
  /** Backup codes in the vault; `null`: it has no set of this account. */
  readonly codesInVault: Pick<BackupSetView, 'unused' | 'maybeUsed'> | null
  readonly now: number
}

export const emailChoice = 'email'
const backupChoice = 'backup-code'
const legacyChoice = 'legacy-sms'

function choiceOfMethod(methodId: number): string {
  return `method:${methodId}`
}

/** The method that a choice stands for; `null` for one that is no method. */
export function methodIdOf({ id }: Pick<VerifyChoice, 'id'>): number | null {
  return id.startsWith('method:') ? Number(id.slice('method:'.length)) : null
}

/**
 * The ways to verify, the primary method first, then the other methods, email, backup codes. The first method is
 * always permitted by email (service API 3.3).
 */
export function choicesOf(facts: ChoiceFacts): readonly VerifyChoice[] {
  const { purpose, account } = facts
  if (isWithoutMethods(account) && (purpose === 'authorise' || account.status === 'off'))
    return [byEmail(facts)]
  const own = account.methods.flatMap((method) => (method.kind === 'other' ? [] : [byMethod(method, facts)]))
  const onFile = hasNumberOnFile(facts) ? [byLegacySms(facts)] : []
  return [...own, ...onFile, byEmail(facts), byBackupCode(facts)]
}

/** The one to begin with: the first that can be used. */
export function firstUsable(choices: readonly VerifyChoice[]): string | null {
  return choices.find(({ block }) => block === null)?.id ?? null
}

function byMethod(method: TwoFactorMethod, facts: ChoiceFacts): VerifyChoice {
  const id = choiceOfMethod(method.id)
  const isSms = method.kind === 'sms'
  return {
    id,
    channel: isSms ? 'sms' : 'totp',
    label: method.label,
    maskedTarget: method.maskedNumber,
    isPrimary: method.isPrimary,
    needsSending: isSms,
    stored: method.entryId === null ? null : { codesLeft: null },
    block: lockOf(method, facts) ?? learned(id, facts) ?? (isSms ? smsBlock(facts) : null),
  }
}

/** 2FA without any method, or of a legacy account without one for SMS. The permission to add goes by methods only. */
function hasNumberOnFile({ account, purpose }: ChoiceFacts): boolean {
  if (isWithoutMethods(account)) return true
  const isForSms = account.methods.some(({ kind }) => kind === 'sms')
  return account.status === 'legacy' && purpose !== 'authorise' && !isForSms
}

/** The phone number on file has no record of a method. */
function byLegacySms(facts: ChoiceFacts): VerifyChoice {
  return {
    id: legacyChoice,
    channel: 'sms',
    label: '',
    maskedTarget: null,
    isPrimary: isWithoutMethods(facts.account),
    needsSending: true,
    stored: null,
    block: learned(legacyChoice, facts) ?? smsBlock(facts),
  }
}

function byEmail(facts: ChoiceFacts): VerifyChoice {
  return {
    id: emailChoice,
    channel: 'email',
    label: '',
    maskedTarget: facts.emailAddress,
    isPrimary: false,
    needsSending: true,
    stored: null,
    block: learned(emailChoice, facts) ?? emailBlock(facts.account),
  }
}

function byBackupCode(facts: ChoiceFacts): VerifyChoice {
  const { account, codesInVault } = facts
  const hasCodes = codesInVault !== null && codesInVault.unused + codesInVault.maybeUsed > 0
  return {
    id: backupChoice,
    channel: 'backup-code',
    label: '',
    maskedTarget: null,
    isPrimary: false,
    needsSending: false,
    stored: hasCodes ? { codesLeft: codesInVault.unused } : null,
    block: account.backupCodesLeft === 0 ? { kind: 'no-codes-left' } : learned(backupChoice, facts),
  }
}

/** A lock that is over by now is none. */
function learned(id: string, { blocks, now }: ChoiceFacts): ChoiceBlock | null {
  const block = blocks.get(id) ?? null
  return block?.kind === 'locked' && block.until <= now ? null : block
}

function lockOf({ lockedUntil, failCount }: TwoFactorMethod, { now }: ChoiceFacts): ChoiceBlock | null {
  return lockedUntil === null || lockedUntil <= now ? null : { kind: 'locked', until: lockedUntil, failCount }
}

function emailBlock({ email }: KnownTwoFactor): ChoiceBlock | null {
  if (email === 'missing') return { kind: 'missing-email' }
  return email === 'unverified' ? { kind: 'email-not-verified' } : null
}

/** Admins may have an SMS sent without a verified address, but not by the permission to add (service API 4.7). */
function smsBlock({ account, purpose }: ChoiceFacts): ChoiceBlock | null {
  if (account.sms === 'disabled') return { kind: 'sms-disabled' }
  const isExempt = account.isAdmin && purpose !== 'authorise'
  return account.email === 'verified' || isExempt ? null : { kind: 'email-not-verified' }
}
