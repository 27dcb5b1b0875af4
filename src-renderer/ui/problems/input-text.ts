import type { InputFault, PlainFault } from '#domain/base/input-fault.ts'
import { counted } from '#domain/base/plural.ts'
import { asSentence, formatNumber } from '../format.ts'
import { mostJumpHosts } from '#domain/ssh/jump-host.ts'
import { unchanged, type Attempt } from './attempt.ts'
import { fileFaultWords, type Words } from './file-fault-words.ts'
import { keyFaultText } from './key-fault-text.ts'

const closedQuestion = 'This question isn’t open anymore.'
const keyStays = 'The key in use stays.'

const plainWords: Readonly<Record<PlainFault, Words>> = {
  'wrong-value': {
    text: {
      answer: 'The answer doesn’t match the question.',
      period: 'Enter a whole number of seconds, such as 30.',
      otherwise: 'Slipway can’t use this value.',
    },
  },
  'wrong-form': {
    text: {
      code: 'A code has 6 digits.',
      phoneNumber: 'Start with the country code, such as +12025550142.',
      session: 'Use up to 40 letters, digits, “-”, and “_”, and don’t start with “-”.',
      serviceAddress: 'Enter an address such as https://example.com.',
      uri: 'Enter an otpauth address that starts with otpauth://totp/.',
      methodId: 'Enter the ID as a number.',
      sshUser: 'Use letters, digits, “.”, “_”, and “-”, and start with a letter.',
      jumpHosts: `Enter user@host:port, with commas between several (at most ${mostJumpHosts}). User and port are optional.`,
      namespace: 'Use only letters, digits, and - . _ ~: no slash, no space, and not the whole address.',
      access_key: 'An access key of the model hub starts with HFAK, in capitals.',
      otherwise: 'This value has the wrong format.',
    },
  },
  missing: {
    text: {
      serviceAddress: 'Enter the address of the service.',
      apiKey: 'Paste an API key of your account.',
      secret: 'Enter the challenge secret of your sign-in.',
      passphrase: 'This export is encrypted. Enter its passphrase.',
      image: 'Enter an image or choose a template.',
      user_given_name: 'Enter a name. You can’t change it later.',
      access_key: 'Paste the access key ID.',
      secret_access_key: 'Paste the secret access key.',
      key_id: 'Paste the application key ID.',
      application_key: 'Paste the application key.',
      namespace: 'Enter the user or organization that the bucket belongs to.',
      code: 'Paste the code, or the whole address that contains it.',
      state: 'Paste the state: the value after “state=” in the same address as the code.',
      otherwise: 'Enter a value.',
    },
  },
  ended: {
    text: {
      flowId: 'This step has ended.',
      login: 'This sign-in has ended.',
      terminalId: 'This terminal was closed.',
      fingerprint: closedQuestion,
      path: closedQuestion,
      questionId: closedQuestion,
      otherwise: 'This was closed.',
    },
    nextStep: 'Start over.',
  },
  busy: {
    text: {
      command: 'The previous command is still running on an instance.',
      otherwise: 'Slipway is still working on this.',
    },
    nextStep: 'Wait until it ends, or stop it, then try again.',
  },
  'not-available': {
    text: {
      choiceId: 'This method isn’t available now.',
      instanceId: 'A job is stopping or destroying this instance.',
      otherwise: 'This isn’t available now.',
    },
    nextStep: 'Choose something else.',
  },
  'nothing-to-save': { text: 'There’s nothing to save.', nextStep: 'You don’t need to do anything.' },
  unconfirmed: {
    text: {
      evenIfActive: 'The account may still need codes of this entry.',
      otherwise: 'A code may already be on its way or used.',
    },
    nextStep: 'Confirm it, then try again.',
  },
  'codes-unsaved': {
    text: 'The new backup codes aren’t saved yet.',
    nextStep: 'Save the codes, then try again.',
  },
  'too-soon': {
    text: 'A code was just sent, or too many codes were.',
    nextStep: 'Wait a moment, then try again.',
  },
  'admins-only': {
    text: 'Only admins can have an admin session.',
    nextStep: 'Sign in without an admin session.',
  },
  'not-backup-code': {
    text: {
      text: 'Enter codes like ABCD-2345-WXYZ only. Lines that start with # are ignored.',
      otherwise: 'A backup code looks like ABCD-2345-WXYZ.',
    },
  },
  'number-refused': {
    text: 'The service refused this number. Use another number.',
    nextStep: 'Then try again.',
  },
  'not-listed': {
    text: {
      file: 'The file isn’t there.',
      otherwise: 'This isn’t there anymore.',
    },
    nextStep: 'Check what’s listed now, then try again.',
  },
  taken: {
    text: {
      name: 'Another account has this name.',
      port: 'Another port forward already listens on this port.',
      remote:
        'Another project of this instance already pushes to this folder, or to one inside or around it.',
      otherwise: 'This is already taken.',
    },
    nextStep: 'Choose another value, then try again.',
  },
  changed: {
    text: 'Another program changed the file after Slipway read it.',
    nextStep: 'Read the file again, then try again.',
  },
  'not-otp-key': {
    text: {
      uri: 'Its secret is missing, isn’t base32, or is shorter than 10 bytes.',
      otherwise: 'Enter at least 16 letters A–Z and digits 2–7.',
    },
  },
  'counter-based': {
    text: 'Slipway supports time-based codes (TOTP) only. This code is counter-based (HOTP).',
  },
  'unsupported-otp': {
    text: 'Slipway doesn’t support this kind of one-time password, or its algorithm, number of digits, or period.',
  },
  'otp-export': { text: 'This is an export. Use Import.', nextStep: 'Close this, then select Import.' },
  'too-long-for-keychain': { text: 'This is too long for the keychain.' },
  ...fileFaultWords,
  'watches-full': {
    text: 'Slipway watches as many searches as it can.',
    nextStep: 'Stop watching another search, then try again.',
  },
  'not-encrypted': {
    text: 'The address must begin with https://, so that no one can read the key while it’s sent.',
  },
  'has-login': { text: 'Remove the user name and password from the address.' },
  'has-query': { text: 'The address must end before any “?” or “#”.' },
  'has-space': { text: 'Contains a space. Copy only the key.' },
  'has-invisible': { text: 'Contains a line break or another invisible character.' },
  'whole-address': { text: 'This is an address. Paste only the code after “code=”.' },
  'no-code': {
    text: 'This address has no code. After you agree, the browser’s address contains “code=”.',
  },
  'account-unread': {
    text: `The key in use can’t read the account, so Slipway can’t tell whether this key is for the same one. ${keyStays}`,
    nextStep: 'Select “Add an account” in the account menu to use this key.',
  },
  'reads-no-account': {
    text: `The key works, but it can’t read the account (user_read), so Slipway can’t tell whether it’s for this one. ${keyStays}`,
    nextStep: 'Use a key with user_read.',
  },
}

/** What is wrong with what was typed or asked for, as it stands at its field. */
export function inputText(field: string, fault: InputFault): string {
  return wordsOf(field, fault).text
}

/** The same as a problem. */
export function inputProblemText(
  field: string,
  fault: InputFault,
  attempt: Attempt,
): { readonly title: string; readonly meaning: string; readonly nextStep: string } {
  const { text, nextStep = 'Check your input, then try again.' } = wordsOf(field, fault)
  return { title: titleOf(field), meaning: `${text} ${unchanged(attempt)}`, nextStep }
}

function wordsOf(field: string, fault: InputFault): { readonly text: string; readonly nextStep?: string } {
  switch (fault.code) {
    case 'too-long':
      return { text: `Enter at most ${counted(fault.most, 'character')}.` }
    case 'too-short':
      return { text: `Enter at least ${counted(fault.least, 'character')}.` }
    case 'too-many':
      return tooMany(lastPart(field), fault.most)
    case 'too-large':
      return { text: `Enter at most ${formatNumber(fault.most)}.` }
    case 'too-small':
      return { text: `Enter at least ${formatNumber(fault.least)}.` }
    case 'type-word':
      return { text: `Type “${fault.word}”.` }
    case 'in-vault':
      return {
        text: `This entry is already in the vault${fault.name === null ? ', for another account' : `: ${fault.name}`}.`,
        nextStep: 'You don’t need to add it again.',
      }
    case 'other-account':
      return {
        text: `This key belongs to another account: ${nameOfAccount(fault)}. ${keyStays}`,
        nextStep: 'To use it, select “Add an account” in the account menu.',
      }
    case 'access-denied':
      return {
        text: `Access wasn’t granted: ${fault.said}. Go through the provider’s consent page again.`,
      }
    case 'unusable-key':
      return { text: asSentence(`Slipway can’t use this file: ${keyFaultText(fault.why)}`) }
    default: {
      const { text, ...rest } = plainWords[fault.code]
      return { ...rest, text: typeof text === 'string' ? text : textFor(lastPart(field), text) }
    }
  }
}

function tooMany(field: string, most: number): { readonly text: string; readonly nextStep: string } {
  switch (field) {
    case 'path':
      return {
        text: `Slipway tries at most ${counted(most, 'identity file')}, because hosts allow only a few attempts.`,
        nextStep: 'Remove one, then try again.',
      }
    case 'instanceId':
      return {
        text: `An instance has at most ${counted(most, 'port forward')}.`,
        nextStep: 'Remove one, then try again.',
      }
    case 'text':
      return {
        text: `Slipway imports at most ${counted(most, 'one-time password')} at a time.`,
        nextStep: 'Export fewer, then try again.',
      }
    case 'names':
      return {
        text: `Select at most ${formatNumber(most)} files and folders.`,
        nextStep: 'Select fewer, then try again.',
      }
    default:
      return { text: `Choose at most ${formatNumber(most)}.`, nextStep: 'Choose fewer, then try again.' }
  }
}

function nameOfAccount({ id, email }: Extract<InputFault, { code: 'other-account' }>): string {
  return email === '' ? `account ${id}` : `${email} (account ${id})`
}

/** A field may have any name, such as that of what every object has. */
function textFor(field: string, texts: Exclude<Words['text'], string>): string {
  return (Object.hasOwn(texts, field) ? texts[field] : undefined) ?? texts.otherwise
}

/** Calls name a field by where it stands in what was sent. */
function lastPart(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1)
}

/** The labels of the fields that main names; what has no field on a page goes unnamed. */
const fieldLabels: Readonly<Record<string, string>> = {
  serviceAddress: 'Service address',
  apiKey: 'API key',
  image: 'Image',
  diskGb: 'Disk (GB)',
  onstart: 'Start script',
  path: 'Identity file',
}

function titleOf(field: string): string {
  const label = fieldLabels[field]
  return label === undefined ? 'Couldn’t complete this action' : `“${label}” isn’t valid`
}
