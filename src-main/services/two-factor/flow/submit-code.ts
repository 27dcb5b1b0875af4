import { ProblemError } from '../../../domain/base/problem.ts'
import { mayHaveHappened } from '../../../domain/rental-api/service-errors.ts'
import { emailChoice, methodIdOf } from '../two-factor-choices.ts'
import type { VerifyChoice } from '../../../domain/two-factor/verification.ts'
import type { Proof } from '../../rental-api/two-factor.ts'
import { isTwoFactorRefusal, refusedHere } from '../two-factor-refusal.ts'
import type { VerificationState } from './verification-state.ts'
import { reactToRefusal } from './verification-refusals.ts'

/**
 * Gives a code to the service for what the verification is for.
 *
 * @param code called anew for each try
 */
export async function attempt(
  state: VerificationState,
  choice: VerifyChoice,
  code: () => Promise<string>,
): Promise<void> {
  const { sender, lastSent } = state
  const { run, perform, purpose } = state.options
  try {
    await run.ask('verifying', async () => {
      // The permission to add a method begins with its first step also where nothing is sent.
      if (purpose === 'authorise' && choice.channel === 'totp' && sender.secretOf(choice) === null)
        await sender.renew(choice)
      const secret = sender.secretOf(choice)
      if (choice.needsSending && secret === null) throw refusedHere('no_challenge_found')
      const value = await code()
      lastSent.set(choice.id, value)
      await perform(proofOf(choice, value, secret), secret)
    })
  } catch (error) {
    if (isTwoFactorRefusal(error, 'no_pending_authorization') && choice.channel === 'totp')
      await beginAgain(state, choice, code)
    else await reactToRefusal(state, choice, error)
  }
}

/** Step 1 again, once; it costs nothing with an authenticator, whose code was not looked at. */
async function beginAgain(
  state: VerificationState,
  choice: VerifyChoice,
  code: () => Promise<string>,
): Promise<void> {
  const { sender, lastSent, options } = state
  try {
    await sender.renew(choice)
    const secret = sender.secretOf(choice)
    await options.perform(proofOf(choice, lastSent.get(choice.id) ?? (await code()), secret), secret)
  } catch (error) {
    await reactToRefusal(state, choice, error)
  }
}

/** Gives a backup code to the service, and notes in the vault what became of it. */
export async function spendBackupCode(
  state: VerificationState,
  choice: VerifyChoice,
  code: string,
): Promise<void> {
  const { stored } = state
  const { run, perform, remember } = state.options
  remember(code)
  // Whatever happens from here on, it may have been used.
  await stored.noteBackupCode(code, 'maybe-used')
  try {
    await run.ask('verifying', () => perform({ kind: 'backup-code', backupCode: code }, null))
    await stored.noteBackupCode(code, 'used')
  } catch (error) {
    if (isTwoFactorRefusal(error, 'invalid_backup_code')) await stored.noteBackupCode(code, 'used')
    else if (error instanceof ProblemError && !mayHaveHappened(error.problem))
      await stored.noteBackupCode(code, 'unused')
    await reactToRefusal(state, choice, error)
  }
}

function proofOf(choice: VerifyChoice, code: string, secret: string | null): Proof {
  const methodId = methodIdOf(choice)
  if (choice.channel === 'totp') return { kind: 'totp', code, methodId }
  if (secret === null) throw refusedHere('no_challenge_found')
  return choice.id === emailChoice ? { kind: 'email', code, secret } : { kind: 'sms', code, secret, methodId }
}
