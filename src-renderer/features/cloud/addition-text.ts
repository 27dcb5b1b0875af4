import { assertNever } from '#domain/base/assert-never.ts'
import type { CloudAddition, CloudConnection, CloudProvider } from '#domain/cloud/cloud-connection.ts'
import { formatNumber } from '#ui/format.ts'
import type { ProblemText } from '#ui/problems/problem-text.ts'

/** What is to be told of an addition that did not simply succeed; `null`: it did, or the list shows that it did. */
export function additionText(addition: CloudAddition): ProblemText | null {
  switch (addition.kind) {
    case 'added':
      return null
    case 'not-sent':
      // Told as the problem that it is.
      return null
    case 'refused':
      return {
        title: 'The service refused the connection',
        meaning:
          addition.message === ''
            ? 'It did not say why. Nothing was added.'
            : `It said: “${addition.message}”. Nothing was added.`,
        nextStep: 'Correct what it names and add it again. What you typed is still here.',
      }
    case 'lost':
      return lostText(addition.found)
    default:
      return assertNever(addition)
  }
}

function lostText(found: readonly CloudConnection[] | null): ProblemText | null {
  if (found !== null && found.length > 0) return null
  return {
    title: 'No answer came, so it may have been added',
    meaning:
      found === null
        ? 'The request was sent once. The list that would tell could not be compared.'
        : 'The request was sent once. The service’s list does not show a new connection, but it may still come.',
    nextStep:
      'Look at the list before you add it again: it could be there twice, and cannot be removed here.',
  }
}

/** What was found in place of an answer. */
export function foundText(found: readonly CloudConnection[]): string {
  const names = namesOf(found)
  return found.length === 1
    ? `No answer came, but the list shows the new connection ${names}. It was sent once.`
    : `No answer came, but the list shows new connections: ${names}. Slipway sent one of them, once.`
}

/** What the list shows of a provider, for somebody who wonders whether a connection was added. */
export function listText(connections: readonly CloudConnection[], provider: CloudProvider): string {
  const ofProvider = connections.filter(({ cloud_type }) => cloud_type === provider)
  return ofProvider.length === 0
    ? 'The list shows no connection of this provider.'
    : `The list shows of this provider: ${namesOf(ofProvider)}.`
}

/** What is said of records in the list that are no connections. @param count above 0 */
export function unreadableText(count: number): string {
  return count === 1
    ? 'The service lists one more connection, in a shape that Slipway cannot read.'
    : `The service lists ${formatNumber(count)} more connections, in a shape that Slipway cannot read.`
}

function namesOf(connections: readonly CloudConnection[]): string {
  return connections.map(({ user_given_name: name, id }) => `“${name}” (id ${id})`).join(' and ')
}
