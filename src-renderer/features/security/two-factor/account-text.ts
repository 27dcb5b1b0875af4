import { counted } from '#domain/base/plural.ts'
import type { FlowGoal } from '#domain/two-factor/flow.ts'
import type { Improvement, KnownTwoFactor, UnfinishedStep } from '#domain/two-factor/two-factor.ts'
import { backupCodeCount } from '#domain/two-factor/methods.ts'
import type { Problem } from '#domain/base/problem.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import type { Mark, Statement } from '#ui/tone.ts'
import type { CountdownWords } from '../countdown.ts'

/** Why the account's 2FA is unknown. How to open a keychain is said above, on every page. */
export function unknownText(problem: Problem): ProblemText {
  if (problem.kind !== 'keychain-locked' && problem.kind !== 'keychain-unavailable')
    return problemText(problem, 'load')
  return {
    title: 'Couldn’t check two-factor authentication',
    meaning: `The API key is in the keychain, which ${problem.kind === 'keychain-locked' ? 'is locked' : 'isn’t available'}.`,
    nextStep: 'Slipway checks again when the keychain is open.',
  }
}

/** How the account is protected, in words. */
export function stateText({ status, methods, unreadable, improvements }: KnownTwoFactor): Statement {
  const many = counted(methods.length + unreadable.length, 'method')
  switch (status) {
    case 'off':
      return {
        tone: 'warning',
        title: 'Off',
        text: 'Anyone who knows your password can sign in to your account and spend its credit.',
      }
    case 'legacy':
      return {
        tone: 'warning',
        title: 'On (legacy)',
        text: improvements.includes('upgrade-legacy')
          ? 'Codes go to the phone number on file. The account has no methods: if you lose the phone, you can’t sign in.'
          : `The service lists the account as legacy. It has ${many}.`,
      }
    case 'on':
      return {
        tone: 'good',
        title: 'On',
        text: `${many}. Slipway can’t tell whether it’s legacy two-factor authentication: the account’s record doesn’t say, or can’t be read.`,
      }
    case 'enabled':
      return {
        tone: 'good',
        title: 'On',
        text: improvements.length === 0 ? `${many} and backup codes. Nothing to improve.` : `${many}.`,
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
    title: 'Verify your email address',
    text: 'You verify it with the service, not here. Until then, the service sends no codes and you can’t set up 2FA.',
    label: 'Check again',
    action: 'recheck',
  },
  'set-up': {
    title: 'Turn on two-factor authentication',
    text: 'An authenticator app is safest. Text messages are the second choice.',
    label: 'Set up two-factor authentication',
    action: 'choose',
  },
  'upgrade-legacy': {
    title: 'Upgrade to methods and backup codes',
    text: 'Your phone number becomes a method, and you get 10 backup codes.',
    label: 'Upgrade 2FA',
    action: { kind: 'regenerate' },
  },
  'renew-lost-codes': {
    title: 'Create new backup codes',
    text: 'Your newest codes never arrived.',
    label: 'Create new codes',
    action: { kind: 'regenerate' },
  },
  'add-totp': {
    title: 'Add an authenticator app',
    text: 'Others can intercept text messages and email, but not an authenticator app’s codes.',
    label: 'Set up an authenticator app',
    action: { kind: 'add', method: 'totp' },
  },
  'save-codes': {
    title: 'Save your backup codes elsewhere',
    text: 'They’re only on this computer. If you lose it, you lose them.',
    label: 'Save codes',
    action: 'save-codes',
  },
  'renew-codes': {
    title: 'Create new backup codes',
    text: 'Only a few are left, and each works once.',
    label: 'Create new codes',
    action: { kind: 'regenerate' },
  },
  'add-second-method': {
    title: 'Add a second method',
    text: 'You can still sign in if you lose one device.',
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
        title: 'No reply when confirming a method',
        meaning:
          'The method may have been added. Slipway checks with the service and doesn’t send anything twice.',
        nextStep: 'Check again in a moment.',
        action: { label: 'Check again', does: 'recheck' },
        canDismiss: false,
      }
    case 'codes-lost':
      return {
        title: 'Your backup codes never arrived',
        meaning:
          'Two-factor authentication is on, but the reply with its backup codes was lost. The service shows them only once.',
        nextStep: 'Create new codes now, while you have your method at hand.',
        action: renew,
        canDismiss: false,
      }
    case 'codes-uncertain':
      return {
        title:
          step.replaced === true
            ? 'Your backup codes no longer work'
            : 'Your backup codes may no longer work',
        meaning:
          step.replaced === true
            ? 'New codes were created, but the reply was lost. Your old codes no longer work.'
            : 'You requested new codes, but the reply was lost. Your old codes may no longer work.',
        nextStep: 'Create new codes to be sure.',
        action: renew,
        canDismiss: false,
      }
    case 'codes-unsaved':
      return {
        title: 'Your backup codes are only on this computer',
        meaning: 'If you lose this computer, you lose the codes.',
        nextStep: 'Save them to a file elsewhere, print them, or copy them.',
        action: { label: 'Save codes', does: 'save-codes' },
        canDismiss: false,
      }
    case 'setup-abandoned':
      return {
        title: 'Authenticator app setup isn’t finished',
        meaning: 'Its secret is in your vault, but the service doesn’t ask for its codes.',
        nextStep: 'Set it up again with a new secret. You don’t need the old one.',
        action: { label: 'Set up an authenticator app', does: { kind: 'add', method: 'totp' } },
        canDismiss: true,
      }
  }
}

export const noEmailText =
  'The account has no email address. You need one for your first method. Add it with the service, not here.'

export const smsOffText =
  'SMS is off: the service flagged your account for SMS fraud. Contact its support. After support clears your account:'

/** What speaks for each method. */
export const methodAdvice = {
  totp: 'Recommended. Your phone and the vault on this computer generate codes, even offline.',
  sms: 'Others can take over a phone number. Use text messages only in addition to an authenticator app.',
} as const

/** While the service is silent. */
export const offlineText =
  'To change methods, wait until the service replies. One-time passwords work offline.'

export const addWindowCountdown: CountdownWords = {
  label: 'You can add methods without verifying again for',
  over: 'To add a method, verify again',
}
/** When another program opened it: nobody knows when. */
export const addWindowText = 'You can add methods without verifying again for at most 30 minutes.'

export const sessionUseText = 'Slipway uses the session for two-factor authentication.'
export const noSessionText = 'No session. Requests use the API key. Sign in if the service asks for 2FA.'
export const sessionLeftText =
  'The keychain was closed when you ended the last session, so its key is still there. Slipway no longer uses the key, and removes it when the keychain opens.'
