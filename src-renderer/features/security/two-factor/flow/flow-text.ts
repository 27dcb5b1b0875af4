import { counted, plural } from '#domain/base/plural.ts'
import {
  declineWords,
  turnOffWords,
  type FlowBusy,
  type FlowGoal,
  type FlowStep,
  type TwoFactorFlow,
} from '#domain/two-factor/flow.ts'
import type { TwoFactorMethod } from '#domain/two-factor/two-factor.ts'
import type { VerificationPurpose, VerifyChoice } from '#domain/two-factor/verification.ts'
import type { CountdownWords } from '../../countdown.ts'
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
  warn: 'Review',
  verify: 'Verify',
  enrol: 'Set up',
  'save-codes': 'Save codes',
  done: 'Done',
}

export const purposeText: Readonly<Record<VerificationPurpose, string>> = {
  'log-in': 'Verify that it’s you. Slipway uses the session in addition to the API key.',
  authorise: 'Verify that it’s you. You can then add methods for 30 minutes.',
  remove: 'Verify that it’s you to remove the method.',
  regenerate: 'Verify that it’s you to create new codes.',
}

/** What Slipway is doing. */
export const workingTexts: Readonly<Record<Extract<FlowBusy, { kind: 'working' }>['what'], string>> = {
  preparing: 'Checking with the service…',
  sending: 'Sending code…',
  verifying: 'Verifying…',
  confirming: 'Confirming the method…',
  checking: 'Checking the account…',
  keeping: 'Saving to the vault…',
}

export const nextCodeCountdown: CountdownWords = {
  label: 'Each code works once. Next vault code in',
  over: 'The vault’s next code is here',
}
export const retryCountdown: CountdownWords = { label: 'Trying again in', over: 'Trying again' }
export const sentCountdown: CountdownWords = {
  label: 'The code expires in',
  over: 'The code expired. Send a new code.',
}
export const lockedCountdown: CountdownWords = { label: 'Locked. Unlocks in', over: 'Unlocking' }

export const noChoiceText =
  'No method is available now. Wait for a locked method, or contact the service’s support.'

/** For the code that the vault can give. */
export function storedText(codesLeft: number | null): string {
  return codesLeft === null
    ? 'The vault generates its codes.'
    : `The vault has ${counted(codesLeft, 'unused code')}.`
}
export const noUnusedCodeText = 'Every code in the vault may already be used, including the next one.'

/** After failures in a row. */
export function switchText(name: string, failures: number): string {
  return `${name} failed ${counted(failures, 'time')}. Too many wrong codes lock it for 15 minutes. Choose another method.`
}

export const phoneHelp = 'With its country code, such as +12025550142.'
export const newPhoneHelp = `${phoneHelp} The service will send codes to this number.`
export const recheckHint = 'After you verify your email address with the service'

export const enrollTexts = {
  about:
    'The secret is in your vault, which now generates its codes. Scan it with your phone, too, so that you can still sign in if you lose this computer.',
  inMemory: 'In memory until you quit: scan it with your phone',
  noCamera: 'No camera? Enter this key instead.',
  risk: 'Anyone who sees the secret can generate your codes. The service shows it only once.',
  enterCode: 'Enter the code that your phone shows. Slipway checks the code before sending it.',
  codesNext: 'Next, you get 10 backup codes. They’re shown only once, so save them before you finish.',
} as const

export const saveCodesTexts = {
  about:
    'If you lose your method, each code lets you sign in once. They’re in your vault. Save them outside this computer, too.',
  inMemory: 'In memory until you quit',
  once: 'The service shows these codes only once.',
  saveFirst: 'To continue, save the codes above to a file, print them, or copy them.',
  showFirst: 'To continue, show the codes and save them.',
  typeFirst: `To continue, save the codes or type “${declineWords}”.`,
  declineRisk: 'If you lose this computer, you lose the codes.',
} as const

/** The name of a way to verify. */
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
      return 'SMS is off for your account'
    case 'email-not-verified':
      return 'Your email address isn’t verified'
    case 'missing-email':
      return 'The account has no email address'
    case 'not-configured':
      return 'Must be set up again'
    case 'number-refused':
      return 'The service refuses this number'
    case 'no-codes-left':
      return 'No backup codes left'
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
      'The service will no longer accept this method’s codes.',
      'If its secret is in your vault, it stays there, marked “No longer used”.',
    ],
    button: 'Continue',
    isGrave: false,
  },
  'remove-last': {
    text: [
      'This is your last method. Removing it turns off two-factor authentication: anyone who knows your password can sign in.',
      'Your backup codes stop working.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  'remove-legacy': {
    text: [
      'This turns off two-factor authentication: anyone who knows your password can sign in. For a legacy account, removing any method does this.',
      'To keep 2FA on, create new backup codes instead. If the account has no method, its phone number becomes one.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  'remove-maybe-legacy': {
    text: [
      'This may turn off two-factor authentication: anyone who knows your password could sign in. For a legacy account, removing any method does this, and Slipway couldn’t read whether yours is legacy.',
      'The service will no longer accept this method’s codes. If its secret is in your vault, it stays there, marked “No longer used”.',
    ],
    button: 'Continue',
    isGrave: true,
  },
  regenerate: {
    text: [
      'You get 10 new codes. All old codes stop working, including printed ones.',
      'Slipway saves the new codes in the vault before showing them. Then save them outside this computer, too.',
    ],
    button: 'Continue',
    isGrave: false,
  },
  'upgrade-legacy': {
    text: [
      'The phone number on file becomes a method, and you get 10 backup codes.',
      'Slipway saves the codes in the vault before showing them. Then save them outside this computer, too.',
    ],
    button: 'Continue',
    isGrave: false,
  },
}

/** Why a grave procedure can't be begun yet. */
export const turnOffHint = `To continue, type “${turnOffWords}”.`

type Outcome = Extract<FlowStep, { kind: 'done' }>['outcome']

/** What was reached, and what follows from it. */
export function outcomeText(outcome: Outcome): { readonly title: string; readonly text: string } {
  switch (outcome.kind) {
    case 'logged-in':
      return {
        title: outcome.isAdmin ? 'You’re signed in as admin' : 'You’re signed in',
        text: [
          outcome.keptIn === 'keychain'
            ? 'The session is saved in the keychain, next to the API key.'
            : 'The session is in memory until you quit.',
          ...(outcome.codesLeft === null ? [] : [codesLeftText(outcome.codesLeft)]),
        ].join(' '),
      }
    case 'added':
      return {
        title: `“${outcome.label || (outcome.method === 'totp' ? 'Authenticator app' : 'Text message')}” is set up`,
        text:
          outcome.method === 'totp'
            ? 'Your vault generates its codes, and so does every phone that scanned the QR code.'
            : 'The service now sends codes to this number.',
      }
    case 'removed':
      return outcome.off
        ? {
            title: 'Two-factor authentication is off',
            text: 'Your backup codes no longer work. You can set up two-factor authentication again at any time.',
          }
        : { title: 'Method removed', text: 'The service no longer accepts its codes.' }
    case 'codes-replaced':
      return {
        title: outcome.upgraded ? 'Account upgraded' : 'New backup codes created',
        text: outcome.declined
          ? 'They’re only on this computer. Save them elsewhere soon.'
          : 'The old codes no longer work: throw them away.',
      }
  }
}

function codesLeftText(left: number): string {
  if (left === 0) return 'That was your last backup code. Create new codes.'
  return `${counted(left, 'backup code')} ${plural(left, 'is', 'are')} left.`
}
