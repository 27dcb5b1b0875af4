import { counted } from '#domain/base/plural.ts'
import type { FlowRefusal, FlowStep, TwoFactorFlow } from '#domain/two-factor/flow.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import { formatDuration } from '#ui/format.ts'

type Lost = Extract<Extract<FlowStep, { kind: 'stopped' }>['why'], { kind: 'reply-lost' }>

/** Why the last attempt came to nothing: what happened, what it means, what to do. */
export function refusalText(refusal: FlowRefusal, clockOffMs: number | null): ProblemText {
  switch (refusal.kind) {
    case 'problem': {
      const text = problemText(refusal.problem, 'save')
      const { problem } = refusal
      const failures = problem.kind === 'tfa-refused' && problem.failCount !== null ? problem.failCount : 0
      return {
        ...text,
        meaning: [text.meaning, failuresText(failures), clockText(clockOffMs)].filter(Boolean).join(' '),
      }
    }
    case 'typed-code':
      return notSent(
        'This code does not come from the secret above',
        'It is mistyped, or of another account. It was not sent, so it does not count as a failed attempt.',
        'Scan the picture above, and enter the code of that entry.',
      )
    case 'typed-code-clock':
      return notSent(
        'The clock of your authenticator is wrong',
        `The code is right for a time that is ${spanText(refusal.skewSeconds * 1000)} ${refusal.skewSeconds < 0 ? 'behind' : 'ahead'}. It was not sent, as the service would refuse it.`,
        'Let the phone set its time by the network, then enter a fresh code.',
      )
    case 'same-code':
      return notSent(
        'This code was sent before',
        'A code is good once. It was not sent again, so it does not count as a failed attempt.',
        'Wait for the next one; it comes within 30 seconds.',
      )
    case 'maybe-used-code':
      return notSent(
        'This code may be used already',
        'It was sent before, and no reply came. It was not sent again: a used code may count as a failed attempt.',
        'Have a new code sent and enter it, or select “Send anyway”.',
      )
    case 'shape':
      return shapes[refusal.expected]
    case 'number-refused':
      return notSent(
        'The service refused this number before',
        'It is not tried again in this run, as each try makes matters worse.',
        'Use another number, or an authenticator app.',
      )
    case 'no-stored-code':
      return notSent(
        'The vault has no code for this',
        'Its secret or its codes are not there any more. Nothing was sent.',
        'Type a code, or choose another way.',
      )
  }
}

const shapes: Readonly<Record<Extract<FlowRefusal, { kind: 'shape' }>['expected'], ProblemText>> = {
  'six-digits': notSent('This is no code', 'A code has six digits.', 'Look at it once more.'),
  'backup-code': notSent('This is no backup code', 'It looks like ABCD-2345-WXYZ.', 'Look at it once more.'),
  'phone-number': notSent(
    'This is no phone number',
    'It begins with the country code, such as +12025550142.',
    'Look at it once more.',
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
  return `This computer’s clock is ${spanText(clockOffMs)} ${clockOffMs > 0 ? 'ahead' : 'behind'}: codes of an authenticator on it are wrong.`
}

function spanText(ms: number): string {
  const size = Math.abs(ms)
  return size < 60_000 ? `${Math.round(size / 1000)} s` : `${formatDuration(size)} min`
}

/** A reply that never came: what the account shows now says whether it was done. */
export function lostReplyText({ what, happened }: Pick<Lost, 'what' | 'happened'>): ProblemText {
  const { title, done, notDone } = lost[what]
  const [meaning, nextStep] =
    happened === null
      ? [
          'Whether it was done can’t be asked now. Nothing was sent a second time. A backup code that you gave may have been used.',
          'Refresh 2FA status.',
        ]
      : happened
        ? done
        : notDone
  return { title, meaning, nextStep, canRetry: happened === null }
}

type TwoParts = readonly [meaning: string, nextStep: string]
const again: TwoParts = [
  'The account does not show that it was done. Nothing was sent a second time.',
  'Begin once more.',
]
const lost: Readonly<Record<Lost['what'], { title: string; done: TwoParts; notDone: TwoParts }>> = {
  'log-in': {
    title: 'The reply to the login was lost',
    done: ['The service opened a session, and its key was lost with the reply.', 'Log in once more.'],
    notDone: again,
  },
  authorise: {
    title: 'The reply to the verification was lost',
    done: ['You may add methods now.', 'Go on with setting it up.'],
    notDone: again,
  },
  confirm: {
    title: 'The reply to the new method was lost',
    done: [
      'The method was added, and its backup codes were lost with the reply.',
      'Create new backup codes now, while the method is at hand.',
    ],
    notDone: again,
  },
  remove: {
    title: 'The reply to the removal was lost',
    done: ['The method is removed.', 'There is nothing left to do.'],
    notDone: again,
  },
  regenerate: {
    title: 'The reply with the new codes was lost',
    done: ['The old codes are void, and the new ones never arrived.', 'Make new ones now.'],
    notDone: ['The old codes are still good, as far as their number tells.', 'Make new ones to be sure.'],
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
