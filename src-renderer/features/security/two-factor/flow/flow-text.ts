import { counted, plural } from '#domain/base/plural.ts'
import type { FlowGoal, FlowStep, TwoFactorFlow } from '#domain/two-factor/flow.ts'
import type { TwoFactorMethod } from '#domain/two-factor/two-factor.ts'
import type { VerificationPurpose, VerifyChoice } from '#domain/two-factor/verification.ts'
import { methodName } from '../../method-text.ts'

/** What a procedure is called. */
export function goalTitle(goal: FlowGoal, methods: readonly TwoFactorMethod[]): string {
  switch (goal.kind) {
    case 'log-in':
      return goal.admin ? 'Sign in as admin' : 'Sign in'
    case 'add':
      return goal.method === 'totp' ? 'Set up an authenticator app' : 'Set up text messages'
    case 'remove': {
      if (goal.methodId === null) return 'Turn off two-factor authentication'
      const method = methods.find(({ id }) => id === goal.methodId)
      return method ? `Remove ${methodName(method)}` : 'Remove a method'
    }
    case 'regenerate':
      return 'New backup codes'
  }
}

/** What is on the button that begins it as the way on from another one. */
export function suggestionLabel(goal: FlowGoal, methods: readonly TwoFactorMethod[]): string {
  if (goal.kind === 'regenerate') return 'Create new backup codes'
  if (goal.kind === 'remove' && goal.thenAdd !== null) return 'Remove and set up again'
  return goalTitle(goal, methods)
}

export const pathNames: Readonly<Record<TwoFactorFlow['path'][number], string>> = {
  warn: 'What it means',
  verify: 'Verify',
  enrol: 'Set up',
  'save-codes': 'Save codes',
  done: 'Done',
}

export const purposeText: Readonly<Record<VerificationPurpose, string>> = {
  'log-in': 'Verify that it is you. The session is put beside the API key.',
  authorise: 'Verify that it is you. You may add methods for 30 minutes then.',
  remove: 'Verify that it is you. The method is removed right after it.',
  regenerate: 'Verify that it is you. The new codes are made right after it.',
}

/** How a way to verify is called. */
export function choiceName({ channel, label }: Pick<VerifyChoice, 'channel' | 'label'>): string {
  if (label.trim() !== '') return label
  switch (channel) {
    case 'totp':
      return 'Authenticator app'
    case 'sms':
      return 'Text message'
    case 'email':
      return 'Email'
    case 'backup-code':
      return 'Backup code'
  }
}

/** What stands beside the name: kind and target. */
export function choiceDetail(choice: VerifyChoice): string {
  const { channel, maskedTarget, label } = choice
  const kind = label.trim() === '' ? '' : choiceName({ channel, label: '' })
  return [kind, maskedTarget ?? ''].filter((part) => part !== '').join(' · ')
}

/** Why a way cannot be taken; of a locked one the countdown tells. */
export function blockText({ block }: Pick<VerifyChoice, 'block'>): string | null {
  switch (block?.kind) {
    case undefined:
    case 'locked':
      return null
    case 'sms-disabled':
      return 'The service sends your account no SMS'
    case 'email-not-verified':
      return 'Your email address isn’t verified'
    case 'missing-email':
      return 'The account has no e-mail address'
    case 'not-configured':
      return 'Must be set up again'
    case 'number-refused':
      return 'The service refuses this number'
    case 'no-codes-left':
      return 'None are left'
  }
}

interface Warning {
  readonly text: readonly string[]
  readonly button: string
  readonly isGrave: boolean
}

/** What a procedure means, before anything is asked. */
export const warnText: Readonly<Record<Extract<FlowStep, { kind: 'warn' }>['about'], Warning>> = {
  remove: {
    text: [
      'The service no longer takes codes of this method.',
      'A secret of it in your vault is kept, and marked as no longer used.',
    ],
    button: 'Continue',
    isGrave: false,
  },
  'remove-last': {
    text: [
      'This is your last method. Two-factor authentication is off without it, and whoever knows your password can log in.',
      'All your backup codes become void.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  'remove-legacy': {
    text: [
      'Two-factor authentication is off then, and whoever knows your password can log in. For an account of the old kind that’s so whatever is removed.',
      'To keep it, make new backup codes instead. If the account has no method, its phone number becomes one then.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  'remove-maybe-legacy': {
    text: [
      'Two-factor authentication may be off then, so that whoever knows your password can log in. For an account of the old kind that’s so whatever is removed, and the account’s record, which tells the kind, couldn’t be read.',
      'The service no longer takes codes of this method. A secret of it in your vault is kept, and marked as no longer used.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  regenerate: {
    text: [
      'You get ten new codes. All old ones become void at that moment, on paper and elsewhere too.',
      'The new ones are put into the vault before they are shown, and you save them once off this computer.',
    ],
    button: 'Continue',
    isGrave: false,
  },
  'upgrade-legacy': {
    text: [
      'The phone number on file becomes a method, and you get ten backup codes.',
      'They are put into the vault before they are shown, and you save them once off this computer.',
    ],
    button: 'Continue',
    isGrave: false,
  },
}

type Outcome = Extract<FlowStep, { kind: 'done' }>['outcome']

/** What was reached, and what follows from it. */
export function outcomeText(outcome: Outcome): { readonly title: string; readonly text: string } {
  switch (outcome.kind) {
    case 'logged-in':
      return {
        title: outcome.isAdmin ? 'You’re signed in as admin' : 'You’re signed in',
        text: [
          outcome.keptIn === 'keychain'
            ? 'The session is in the keychain, beside the API key.'
            : 'The session is in memory, and ends when you quit.',
          ...(outcome.codesLeft === null ? [] : [codesLeftText(outcome.codesLeft)]),
        ].join(' '),
      }
    case 'added':
      return {
        title: `“${outcome.label || (outcome.method === 'totp' ? 'Authenticator app' : 'Text message')}” is set up`,
        text:
          outcome.method === 'totp'
            ? 'Your vault makes its codes, and so does every phone that scanned it.'
            : 'Codes come to this number from now on.',
      }
    case 'removed':
      return outcome.off
        ? {
            title: 'Two-factor authentication is off',
            text: 'The backup codes are void. You can set it up again at any time.',
          }
        : { title: 'The method is removed', text: 'The service no longer takes its codes.' }
    case 'codes-replaced':
      return {
        title: outcome.upgraded ? 'Your account is upgraded' : 'You have new backup codes',
        text: outcome.declined
          ? 'They are only on this computer. Save them elsewhere soon.'
          : 'The old ones are void: throw them away.',
      }
  }
}

function codesLeftText(left: number): string {
  if (left === 0) return 'That was your last backup code: make new ones.'
  return `${counted(left, 'backup code')} ${plural(left, 'is', 'are')} left.`
}
