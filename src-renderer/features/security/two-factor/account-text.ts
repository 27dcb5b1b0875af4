import { counted } from '#domain/base/plural.ts'
import type { FlowGoal } from '#domain/two-factor/flow.ts'
import type { Improvement, KnownTwoFactor, UnfinishedStep } from '#domain/two-factor/two-factor.ts'
import { backupCodeCount } from '#domain/two-factor/methods.ts'
import type { Problem } from '#domain/base/problem.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import type { Mark, Statement } from '#ui/tone.ts'

/** Why nothing is known of the account. How a keychain is opened is said above, on every page. */
export function unknownText(problem: Problem): ProblemText {
  if (problem.kind !== 'keychain-locked' && problem.kind !== 'keychain-unavailable')
    return problemText(problem, 'load')
  return {
    title: 'Your account cannot be asked for',
    meaning: `Its API key is in the keychain, which ${problem.kind === 'keychain-locked' ? 'is locked' : 'is not there'}.`,
    nextStep: 'It is asked for by itself once the keychain is open.',
  }
}

/** How the account is protected, in words. */
export function stateText({ status, methods, improvements }: KnownTwoFactor): Statement {
  switch (status) {
    case 'off':
      return {
        tone: 'warning',
        title: 'Off',
        text: 'Whoever knows your password can log in to your account and spend its credit.',
      }
    case 'legacy':
      return {
        tone: 'warning',
        title: 'On (legacy)',
        text: improvements.includes('upgrade-legacy')
          ? 'Codes go to the phone number on file. The account has no methods: when the phone is lost, so is the way in.'
          : `The service lists the account as legacy. It has ${counted(methods.length, 'method')}.`,
      }
    case 'on':
      return {
        tone: 'good',
        title: 'On',
        text: `${counted(methods.length, 'method')}. The account’s record doesn’t say whether it’s of the old kind, or can’t be read.`,
      }
    case 'enabled':
      return {
        tone: 'good',
        title: 'On',
        text:
          improvements.length === 0
            ? `${counted(methods.length, 'method')}, and backup codes. There is nothing left to do.`
            : `${counted(methods.length, 'method')}.`,
      }
  }
}

/** How many backup codes the service has left of the account. */
export function codesLeftBadge(left: number | null): Mark {
  if (left === null) return { tone: 'neutral', label: `– of ${backupCodeCount} left` }
  return { tone: left > 3 ? 'good' : 'warning', label: `${left} of ${backupCodeCount} left` }
}

interface Advice {
  readonly title: string
  readonly text: string
  /** What is on its button. */
  readonly label: string
  /** What it begins; `choose`: after the kind of method was chosen. */
  readonly action: 'recheck' | 'choose' | 'save-codes' | FlowGoal
}

/** What to do for the account's safety, and why. */
export const adviceText: Readonly<Record<Improvement, Advice>> = {
  'verify-email': {
    title: 'Verify your e-mail address',
    text: 'On the service’s web page. Until then the service sends no codes and sets nothing up.',
    label: 'Check again',
    action: 'recheck',
  },
  'set-up': {
    title: 'Turn on a second factor',
    text: 'An authenticator app is best; codes by text message are the second choice.',
    label: 'Set up two-factor authentication',
    action: 'choose',
  },
  'upgrade-legacy': {
    title: 'Upgrade to methods and backup codes',
    text: 'Your phone number becomes a method, and you get ten backup codes.',
    label: 'Upgrade',
    action: { kind: 'regenerate' },
  },
  'renew-lost-codes': {
    title: 'Create new backup codes',
    text: 'The last ones were lost on their way.',
    label: 'Create new codes',
    action: { kind: 'regenerate' },
  },
  'add-totp': {
    title: 'Add an authenticator app',
    text: 'Text messages and e-mail can be read on their way or taken over; an authenticator’s codes cannot.',
    label: 'Set up an authenticator app',
    action: { kind: 'add', method: 'totp' },
  },
  'save-codes': {
    title: 'Save your backup codes elsewhere',
    text: 'They are only on this computer. When it is lost, so are they.',
    label: 'Save codes',
    action: 'save-codes',
  },
  'renew-codes': {
    title: 'Create new backup codes',
    text: 'Few are left, and each is good once.',
    label: 'Create new codes',
    action: { kind: 'regenerate' },
  },
  'add-second-method': {
    title: 'Add a second method',
    text: 'Then losing one device does not lock you out.',
    label: 'Add a second method',
    action: 'choose',
  },
}

/** Improvements that a notice of what was left undone tells already, with its action. */
export function isToldByNotice(improvement: Improvement): boolean {
  return improvement === 'renew-lost-codes' || improvement === 'save-codes'
}

interface Notice {
  readonly title: string
  readonly meaning: string
  readonly nextStep: string
  readonly action: { readonly label: string; readonly does: Advice['action'] } | null
  /** It is over once the user has read it; the others end by what they ask for. */
  readonly canDismiss: boolean
}

/** What was left undone: what happened, what it means, what to do. */
export function unfinishedText(step: UnfinishedStep): Notice {
  const renew = { label: 'Create new codes', does: { kind: 'regenerate' } } as const
  switch (step.kind) {
    case 'confirm-lost':
      return {
        title: 'A method was confirmed, and the reply was lost',
        meaning: 'It may have been added. Slipway asks the service, and sends nothing a second time.',
        nextStep: 'Check again in a moment.',
        action: { label: 'Check again', does: 'recheck' },
        canDismiss: false,
      }
    case 'codes-lost':
      return {
        title: 'Your backup codes were lost on their way',
        meaning:
          'Two-factor authentication is on, but its codes never arrived, and the service shows them once.',
        nextStep: 'Make new ones now, while your method is at hand.',
        action: renew,
        canDismiss: false,
      }
    case 'codes-uncertain':
      return {
        title: 'It is not known which backup codes are good',
        meaning:
          step.replaced === true
            ? 'New ones were made and the reply was lost: the old ones are void.'
            : 'New ones were asked for and the reply was lost: the old ones may be void.',
        nextStep: 'Make new ones to be sure.',
        action: renew,
        canDismiss: false,
      }
    case 'codes-unsaved':
      return {
        title: 'Your backup codes are only on this computer',
        meaning: 'When it is lost, so are they.',
        nextStep: 'Save them to a file elsewhere, print them, or copy them.',
        action: { label: 'Save codes', does: 'save-codes' },
        canDismiss: false,
      }
    case 'setup-abandoned':
      return {
        title: 'An authenticator app was not set up to its end',
        meaning: 'Its secret is in your vault, and the service does not ask for its codes.',
        nextStep: 'Set it up anew; a new secret is made then. Nothing depends on the old one.',
        action: { label: 'Set up an authenticator app', does: { kind: 'add', method: 'totp' } },
        canDismiss: true,
      }
  }
}
