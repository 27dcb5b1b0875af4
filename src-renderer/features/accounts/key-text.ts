import { assertNever } from '#domain/base/assert-never.ts'
import type { KeyHealth, PermissionAnswer, PermissionCategory } from '#domain/accounts/key-permissions.ts'
import type { Problem } from '#domain/base/problem.ts'
import { problemText, type ProblemText } from '#ui/problems/problem-text.ts'
import type { Statement } from '#ui/tone.ts'

/** How the key in use is. */
export function keyHealthText(health: KeyHealth): Statement {
  switch (health.kind) {
    case 'not-known':
      return {
        tone: 'neutral',
        title: 'Not checked yet',
        text: 'The service has not been asked in this run.',
      }
    case 'works':
      return { tone: 'good', title: 'Works', text: 'The service accepts it.' }
    case 'limited':
      return {
        tone: 'warning',
        title: 'Works, within limits',
        text: `The service accepts it, but not for ${health.refused.join(', ')}. Where you need that, replace it with a key that has it.`,
      }
    case 'unread': {
      const refused = health.refused.length === 0 ? '' : `, but not for ${health.refused.join(', ')}`
      return {
        tone: 'warning',
        title: 'Works, but can’t read the account',
        text: `The service accepts it${refused}. Slipway can’t tell whose account it is: it can’t show its name or credit, warn you when credit runs low, see whether you’ve connected the account with another key too, or replace the key. To change that, select “Add an account” in the account menu and enter a key that can read the account.`,
      }
    }
    case 'revoked':
      return {
        tone: 'bad',
        title: 'Refused: most likely revoked',
        text: `${said(health.message)}The service accepted this key before, and keys do not expire: it was deleted, there or by somebody else with the account. The API has one answer for a wrong and for a deleted key. What is rented goes on and is charged. Make a new key in the web console and replace it below.`,
      }
    case 'may-not-read-account':
      return {
        tone: 'bad',
        title: 'May not read the account',
        text: `${said(health.message)}The service accepted this key for the account before. It may lack a permission now (user_read, going by the name), or be deleted. Instances are still listed as far as the key allows. Replace it with a key that can read the account.`,
      }
    case 'cannot-tell':
      return {
        tone: 'neutral',
        title: 'Cannot be told now',
        text: 'The last answer was not about the key. Try again when the service is back.',
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
    asked: 'Asked by a search for a template that cannot be.',
  },
  instance_read: { use: 'See instances', asked: 'Asked by the list of instances.' },
  instance_write: {
    use: 'Rent, stop and destroy',
    asked: 'Not asked: the API has no request for it that changes nothing. It shows when you first do it.',
  },
  misc: { use: 'Search offers, most likely', asked: 'Asked by a search for one offer.' },
}

export function permissionText(answer: PermissionAnswer | null): Pick<Statement, 'tone' | 'title'> {
  switch (answer?.kind) {
    case undefined:
      return { tone: 'neutral', title: 'not asked yet' }
    case 'allowed':
      return { tone: 'good', title: 'yes' }
    case 'not-allowed':
      return { tone: 'warning', title: 'no' }
    case 'key-refused':
      return { tone: 'bad', title: 'the key is refused' }
    case 'not-asked':
      return { tone: 'neutral', title: 'not known' }
    case 'unknown':
      return { tone: 'neutral', title: 'no answer that tells' }
  }
}

/** Why a key cannot take the place of the one in use. A refused one was never accepted, unlike that one. */
export function replacementText(problem: Problem): ProblemText {
  switch (problem.kind) {
    case 'key-refused':
      return {
        title: 'The service does not accept this key',
        meaning: `${said(problem.message)}It is wrong, or was deleted already: the API does not tell which. The key in use stays.`,
        nextStep:
          'Copy the whole key again. The web console shows a key only once: if you don’t have it, make a new one.',
      }
    case 'not-allowed': {
      const { meaning, ...text } = newKeyText(problem)
      return { ...text, meaning: `${meaning} The key in use stays.` }
    }
    default:
      return newKeyText(problem)
  }
}

/** Why a key cannot be connected. */
export function newKeyText(problem: Problem): ProblemText {
  if (problem.kind !== 'not-allowed') return problemText(problem, 'connect')
  return {
    title: 'Slipway can’t tell that the service accepts this key',
    meaning: `${said(problem.message)}Slipway asked for the account, templates, and instances, and got none of them.`,
    nextStep:
      'Use a key with full access, or one with at least one of the permissions user_read and instance_read. Check that it’s the whole key.',
  }
}

function said(message: string): string {
  return message === '' ? '' : `The service said: “${message}”. `
}
