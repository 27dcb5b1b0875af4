import { counted } from '#domain/base/plural.ts'
import type { Problem } from '#domain/base/problem.ts'
import type { FlowRefusal, FlowStep, TwoFactorFlow } from '#domain/two-factor/flow.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import { meaningAfterLoss } from '../../after-lost-code.ts'
import { formatSeconds } from '#ui/format.ts'

type Lost = Extract<Extract<FlowStep, { kind: 'stopped' }>['why'], { kind: 'reply-lost' }>

function textOf(problem: Problem, isAfterLoss: boolean): ProblemText {
  const text = problemText(problem, isAfterLoss ? 'verify-again' : 'save')
  const left = isAfterLoss ? meaningAfterLoss(problem) : undefined
  if (left === undefined) return text
  return { ...text, meaning: `${left} The code whose reply was lost may have taken effect.` }
}

/** Why the last attempt came to nothing: what happened, what it means, what to do. */
export function refusalText(refusal: FlowRefusal, clockOffMs: number | null): ProblemText {
  switch (refusal.kind) {
    case 'problem': {
      const { problem, isAfterLoss } = refusal
      const text = textOf(problem, isAfterLoss)
      const failures = problem.kind === 'tfa-refused' && problem.failCount !== null ? problem.failCount : 0
      return {
        ...text,
        meaning: [text.meaning, failuresText(failures), clockText(clockOffMs)].filter(Boolean).join(' '),
      }
    }
    case 'typed-code':
      return notSent(
        'The code doesn’t match the secret above',
        'The code may be mistyped or from another account. Slipway didn’t send it, so it doesn’t count as a failed attempt.',
        'Scan the QR code above, then enter the code that your app shows for it.',
      )
    case 'typed-code-clock':
      return notSent(
        'Your authenticator’s clock is wrong',
        `The clock is ${formatSeconds(Math.abs(refusal.skewSeconds))} ${refusal.skewSeconds < 0 ? 'behind' : 'ahead'}. Slipway didn’t send the code, because the service would refuse it.`,
        'Set the phone’s time automatically, then enter a new code.',
      )
    case 'same-code':
      return notSent(
        'You already used this code',
        'Each code works once. Slipway didn’t send the code again, so it doesn’t count as a failed attempt.',
        'Wait up to 30 seconds for the next code.',
      )
    case 'maybe-used-code':
      return notSent(
        'This code may already be used',
        'Slipway sent the code before and got no reply. Slipway didn’t send it again: a used code may count as a failed attempt.',
        'Send a new code and enter it, or select “Send anyway”.',
      )
    case 'shape':
      return shapes[refusal.expected]
    case 'number-refused':
      return notSent(
        'The service refused this number',
        'Slipway doesn’t try it again until you restart Slipway, because each attempt makes it worse.',
        'Use another number, or an authenticator app.',
      )
    case 'no-stored-code':
      return notSent(
        'No code in the vault',
        'The vault no longer has the secret or unused codes. Nothing was sent.',
        'Enter a code, or choose another method.',
      )
  }
}

const shapes: Readonly<Record<Extract<FlowRefusal, { kind: 'shape' }>['expected'], ProblemText>> = {
  'six-digits': notSent('Invalid code', 'A code has 6 digits.', 'Check the code.'),
  'backup-code': notSent(
    'Invalid backup code',
    'A backup code looks like ABCD-2345-WXYZ.',
    'Check the code.',
  ),
  'phone-number': notSent(
    'Invalid phone number',
    'Start with the country code, such as +12025550142.',
    'Check the number.',
  ),
}

function notSent(title: string, meaning: string, nextStep: string): ProblemText {
  return { title, meaning, nextStep }
}

/** How many are left until a lock is not known, so it is not said. */
function failuresText(failures: number): string {
  if (failures === 0) return ''
  return `${counted(failures, 'failed attempt')} so far.`
}

function clockText(clockOffMs: TwoFactorFlow['clockOffMs']): string {
  if (clockOffMs === null) return ''
  return `This computer’s clock is ${formatSeconds(Math.abs(clockOffMs) / 1000)} ${clockOffMs > 0 ? 'ahead' : 'behind'}: authenticator apps on it show wrong codes.`
}

/** A reply that never came: what the account shows now says whether it was done. */
export function lostReplyText({ what, happened }: Pick<Lost, 'what' | 'happened'>): ProblemText {
  const { title, done, notDone } = lost[what]
  const [meaning, nextStep] =
    happened === null
      ? [
          'Slipway can’t check now whether it worked, and sent nothing twice. If you entered a backup code, it may be used.',
          'Check again.',
        ]
      : happened
        ? done
        : notDone
  return { title, meaning, nextStep, canRetry: happened === null }
}

type TwoParts = readonly [meaning: string, nextStep: string]
const again: TwoParts = ['The account shows no change. Nothing was sent twice.', 'Start over.']
const lost: Readonly<Record<Lost['what'], { title: string; done: TwoParts; notDone: TwoParts }>> = {
  confirm: {
    title: 'No reply when adding the method',
    done: [
      'The method was added, but its backup codes were lost with the reply.',
      'Create new backup codes now, while you have your method at hand.',
    ],
    notDone: again,
  },
  remove: {
    title: 'No reply when removing the method',
    done: ['The method was removed.', 'You don’t need to do anything.'],
    notDone: again,
  },
  regenerate: {
    title: 'No reply when creating backup codes',
    done: [
      'The old codes no longer work, and the new ones were lost with the reply.',
      'Create new codes now.',
    ],
    notDone: ['Judging by their number, the old codes still work.', 'Create new codes to be sure.'],
  },
}

/** What is wrong with what was typed into a field; it stands at the field. */
export function shapeError(
  refusal: FlowRefusal | null,
  field: Extract<FlowRefusal, { kind: 'shape' }>['expected'],
): string | null {
  if (refusal?.kind !== 'shape' || refusal.expected !== field) return null
  const { title, meaning } = shapes[field]
  return `${title}. ${meaning}`
}
