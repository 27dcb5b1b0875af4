import { assertNever } from '#domain/base/assert-never.ts'
import { counted } from '#domain/base/plural.ts'
import type { CloudAddition, CloudConnection, CloudProvider } from '#domain/cloud/cloud-connection.ts'
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
        title: 'The service didn’t add the connection',
        meaning:
          addition.message === ''
            ? 'The service gave no reason. Nothing was added.'
            : `The service said: “${addition.message}”. Nothing was added.`,
        nextStep: 'Correct the fields, then add the connection again. Your input is still here.',
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
    title: 'No reply. The connection may have been added.',
    meaning:
      found === null
        ? 'The request was sent once. Slipway couldn’t compare the service’s list.'
        : 'The request was sent once. The service’s list doesn’t show a new connection, but it may appear later.',
    nextStep:
      'Check the list before you add the connection again: it could be there twice, and Slipway can’t remove it.',
  }
}

/** What was found in place of a reply. */
export function foundText(found: readonly CloudConnection[]): string {
  const names = namesOf(found)
  return found.length === 1
    ? `No reply, but the list shows the new connection ${names}. The request was sent once.`
    : `No reply, but the list shows new connections: ${names}. Slipway sent one request, for one of them.`
}

/** What the list shows of a provider, for somebody who wonders whether a connection was added. */
export function listText(connections: readonly CloudConnection[], provider: CloudProvider): string {
  const ofProvider = connections.filter(({ cloud_type }) => cloud_type === provider)
  return ofProvider.length === 0
    ? 'The list has no connection with this provider.'
    : `Listed with this provider: ${namesOf(ofProvider)}.`
}

/** What is said of records in the list that are no connections. @param count above 0 */
export function unreadableText(count: number): string {
  return `The service lists ${counted(count, 'more connection')} that Slipway can’t read.`
}

function namesOf(connections: readonly CloudConnection[]): string {
  return connections.map(({ user_given_name: name, id }) => `“${name}” (ID ${id})`).join(' and ')
}
