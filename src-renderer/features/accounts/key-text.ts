import { assertNever } from '#domain/base/assert-never.ts'
import type { KeyStatus, PermissionAnswer, PermissionCategory } from '#domain/accounts/key-permissions.ts'
import type { Problem } from '#domain/base/problem.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import type { Statement } from '#ui/tone.ts'

/** How the key in use is. */
export function keyStatusText(health: KeyStatus): Statement {
  switch (health.kind) {
    case 'not-known':
      return {
        tone: 'neutral',
        title: 'Not checked yet',
        text: 'Slipway hasn’t checked the key since it started.',
      }
    case 'works':
      return { tone: 'good', title: 'Works', text: 'The service accepts this key.' }
    case 'limited':
      return {
        tone: 'warning',
        title: 'Works, limited',
        text: `The service accepts this key, but not for ${health.refused.join(', ')}. If you need these permissions, replace the key.`,
      }
    case 'unread': {
      const refused = health.refused.length === 0 ? '' : `, but not for ${health.refused.join(', ')}`
      return {
        tone: 'warning',
        title: 'Works, but can’t read the account',
        text: `The service accepts this key${refused}. Slipway can’t tell whose account it is: it can’t show its name or credit, warn you when credit runs low, see whether you’ve connected the account with another key too, or replace the key. To change that, select “Add an account” in the account menu and enter a key that can read the account.`,
      }
    }
    case 'revoked':
      return {
        tone: 'bad',
        title: 'Refused: most likely revoked',
        text: `${said(health.message)}The service accepted this key before, and keys don’t expire, so someone with access to the account probably deleted it. (The API replies the same to a wrong, a deleted, and a limited key.) Your instances continue, and you’re still charged. Create a key in the web console and replace this one below.`,
      }
    case 'may-not-read-account':
      return {
        tone: 'bad',
        title: 'Can’t read the account',
        text: `${said(health.message)}The service accepted this key for the account before. It may have lost a permission (user_read, by its name), or it was deleted. Instances are still listed if the key allows it. Replace it with a key that can read the account.`,
      }
    case 'cannot-tell':
      return {
        tone: 'neutral',
        title: 'Unknown',
        text: 'The last reply wasn’t about the key. Check it again when the service is back.',
      }
    default:
      return assertNever(health)
  }
}

/** How each category is asked for, and what Slipway needs it for. */
export const categoryTexts: Readonly<
  Record<PermissionCategory, { readonly use: string; readonly asked: string }>
> = {
  user_read: {
    use: 'The account, templates, connections',
    asked: 'Checked by a template search that finds nothing.',
  },
  instance_read: { use: 'See instances', asked: 'Checked by listing instances.' },
  instance_write: {
    use: 'Rent, stop, and destroy',
    asked: 'Not checked: every request for it changes something. You’ll see when you first use it.',
  },
  misc: { use: 'Search offers, most likely', asked: 'Checked by searching for one offer.' },
}

export function permissionText(answer: PermissionAnswer | null): Pick<Statement, 'tone' | 'title'> {
  switch (answer?.kind) {
    case undefined:
      return { tone: 'neutral', title: 'Not checked yet' }
    case 'allowed':
      return { tone: 'good', title: 'Yes' }
    case 'not-allowed':
      return { tone: 'warning', title: 'No' }
    case 'key-refused':
      return { tone: 'bad', title: 'Key refused' }
    case 'not-asked':
      return { tone: 'neutral', title: 'Unknown' }
    case 'unknown':
      return { tone: 'neutral', title: 'Unclear reply' }
  }
}

/** Why a key cannot take the place of the one in use. */
export function replacementText(problem: Problem): ProblemText {
  const text = newKeyText(problem)
  const isAboutKey = problem.kind === 'key-refused' || problem.kind === 'not-allowed'
  return isAboutKey ? { ...text, meaning: `${text.meaning} Slipway still uses the current key.` } : text
}

/** Why a key cannot be connected. A refused one was never accepted, unlike one in use. */
export function newKeyText(problem: Problem): ProblemText {
  switch (problem.kind) {
    case 'key-refused':
      return {
        title: 'The service doesn’t accept this key',
        meaning: `${said(problem.message)}The key is wrong or was deleted, or it lacks the permissions user_read and instance_read: the API doesn’t say which.`,
        nextStep:
          'Copy the whole key again. The web console shows a key only once: if you don’t have it, create a new one.',
      }
    case 'not-allowed':
      return {
        title: 'Slipway can’t tell that the service accepts this key',
        meaning: `${said(problem.message)}The key is wrong, or it lacks the permissions user_read and instance_read: it can’t read the account, find templates, or list instances. If a key has only misc or instance_write, Slipway can’t tell it from a wrong one.`,
        nextStep:
          'Use a key with full access, or one with user_read, instance_read, or both. Check that it’s the whole key.',
      }
    default:
      return problemText(problem, 'connect')
  }
}

function said(message: string): string {
  return message === '' ? '' : `The service said: “${message}”. `
}
