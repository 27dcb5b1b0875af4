import type { Problem } from '../../../domain/base/problem.ts'
import { codeMeanings } from '../../../domain/two-factor/code-meanings.ts'
import { emailChoice, methodIdOf } from '../two-factor-choices.ts'
import type { VerifyChoice } from '../../../domain/two-factor/verification.ts'
import { sendOnce, type Intent } from '../../rental-api/send-once.ts'
import type { Proof } from '../../rental-api/two-factor.ts'
import { isTwoFactorRefusal, refusedHere } from '../two-factor-refusal.ts'
import type { Send, VerificationState } from './verification-state.ts'
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
  const { sender } = state
  const { run, perform, purpose, lastSent } = state.options
  const isAfterLoss = lastSent.get(choice.id)?.isAnswered === false
  const noted = sendNoted(state, choice)
  let given: string | null = null
  try {
    await run.ask('verifying', async () => {
      // The permission to add a method begins with its first step also where nothing is sent.
      if (purpose === 'authorise' && choice.channel === 'totp' && sender.secretOf(choice) === null)
        await sender.renew(choice)
      const secret = sender.secretOf(choice)
      if (choice.needsSending && secret === null) throw refusedHere('no_challenge_found')
      given = await code()
      await perform(proofOf(choice, given, secret), secret, noted(given))
    })
  } catch (error) {
    if (isTwoFactorRefusal(error, 'no_pending_authorization') && choice.channel === 'totp')
      await beginAgain(state, choice, noted, () => (given === null ? code() : Promise.resolve(given)))
    else await reactToRefusal(state, choice, error, isAfterLoss)
  }
}

/** Step 1 again, once; it costs nothing with an authenticator, whose code was not looked at. */
async function beginAgain(
  state: VerificationState,
  choice: VerifyChoice,
  noted: (code: string) => Send,
  code: () => Promise<string>,
): Promise<void> {
  const { sender, options } = state
  try {
    await sender.renew(choice)
    const secret = sender.secretOf(choice)
    const value = await code()
    await options.perform(proofOf(choice, value, secret), secret, noted(value))
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
  // What an earlier try has made of it isn't undone by this one.
  const before = (await stored.stateOfBackupCode(code)) ?? 'unused'
  const intent: Intent = {
    // Without a reply it stays so, until the service's count of codes tells.
    keep: () => stored.noteBackupCode(code, before === 'used' ? before : 'maybe-used'),
    drop: (refusal) =>
      stored.noteBackupCode(code, isTwoFactorRefusal(refusal, 'invalid_backup_code') ? 'used' : before),
  }
  let isAnswered = false
  const send: Send = async (request) => {
    const reply = await sendOnce(intent, request, async (error) => {
      throw error
    })
    isAnswered = true
    return reply
  }
  try {
    await run.ask('verifying', () => perform({ kind: 'backup-code', backupCode: code }, null, send))
  } catch (error) {
    await reactToRefusal(state, choice, error, before === 'maybe-used')
  } finally {
    // Not before the reply is taken: it may bring new codes, which are kept first.
    if (isAnswered) await stored.noteBackupCode(code, 'used')
  }
}

/** Sends with a code of a method, and notes whether the service has answered: without a reply the code may be used. */
function sendNoted(
  { options: { lastSent } }: VerificationState,
  choice: VerifyChoice,
): (code: string) => Send {
  const before = lastSent.get(choice.id)
  return (code) => {
    const note = (isAnswered: boolean): void => void lastSent.set(choice.id, { code, isAnswered })
    const intent: Intent = {
      keep: async () => note(false),
      drop: async ({ problem }) => {
        const wasLost = before?.code === code && !before.isAnswered
        if (problem.kind !== 'unreachable' && (!wasLost || isAboutTheCode(problem))) note(true)
        // It never got there, or wasn't looked at: what an earlier try has made of a code isn't undone by this one.
        else if (before === undefined) lastSent.delete(choice.id)
        else lastSent.set(choice.id, before)
      },
    }
    return async (request) => {
      const reply = await sendOnce(intent, request, async (error) => {
        throw error
      })
      note(true)
      return reply
    }
  }
}

/** Whether a refusal says what the code is. Any other says nothing of an earlier try, whose reply was lost. */
function isAboutTheCode(problem: Problem): boolean {
  if (problem.kind !== 'tfa-refused') return false
  const { kind } = codeMeanings[problem.code].reaction
  return kind === 'wrong-code' || kind === 'send-again'
}

function proofOf(choice: VerifyChoice, code: string, secret: string | null): Proof {
  const methodId = methodIdOf(choice)
  if (choice.channel === 'totp') return { kind: 'totp', code, methodId }
  if (secret === null) throw refusedHere('no_challenge_found')
  return choice.id === emailChoice ? { kind: 'email', code, secret } : { kind: 'sms', code, secret, methodId }
}
