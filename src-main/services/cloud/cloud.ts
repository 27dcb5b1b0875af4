import { z } from 'zod'
import type { Clock } from '../../domain/base/clock.ts'
import {
  readCloudList,
  secretsOf,
  type CloudAddition,
  type CloudConnection,
  type CloudList,
  type NewCloudConnection,
} from '../../domain/cloud/cloud-connection.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { serviceLine } from '../../domain/rental-api/service-text.ts'
import { problemWithout, withoutSecretsIn } from '../rental-api/echoed-secrets.ts'
import type { Http } from '../rental-api/http.ts'
import { sendOnce } from '../rental-api/send-once.ts'

const path = '/api/v0/users/cloud/'
const added = z.looseObject({ success: z.boolean(), msg: z.string().catch('') })
/** Longest answer that is shown, in UTF-16 units. */
const longestAnswer = 500
/** How long after a lost reply the list is looked at: what the service is still at work on comes late. */
const looksAfterMs = [0, 3000] as const

export interface CloudOptions {
  readonly http: Http
  readonly clock: Clock
  /** Keeps a secret out of the log for as long as it is under way. */
  readonly hide: (secret: string) => () => void
  /** Told of each list that the user sees. */
  readonly onListed: (list: CloudList) => void
}

export interface Cloud {
  readonly list: (signal?: AbortSignal) => Promise<CloudList>
  /** @throws ProblemError only where the connection was certainly not added */
  readonly add: (connection: NewCloudConnection) => Promise<CloudAddition>
}

/** Cloud connections (service API 4.1). Adding one is sent once; after a lost reply the list tells. */
export function createCloud({ http, clock, hide, onListed }: CloudOptions): Cloud {
  async function add(connection: NewCloudConnection): Promise<CloudAddition> {
    const secrets = secretsOf(connection)
    const shown = secrets.map(hide)
    try {
      return await send(connection, secrets)
    } catch (error) {
      throw error instanceof ProblemError ? problemWithout(error.problem, secrets) : error
    } finally {
      for (const show of shown) show()
    }
  }

  async function send(body: NewCloudConnection, secrets: readonly string[]): Promise<CloudAddition> {
    const before = await listedBefore(http)
    if (before.kind === 'not-sent') return before
    return sendOnce<CloudAddition>(
      // A lost addition is looked for at once, and never in a later run.
      null,
      async () => {
        const { success, msg } = await http.send({
          method: 'POST',
          path,
          body,
          reply: added,
          repeatable: false,
        })
        return {
          kind: success ? 'added' : 'refused',
          message: serviceLine(withoutSecretsIn(msg, secrets), longestAnswer),
        }
      },
      async (error) => {
        if (!(error instanceof ProblemError)) throw error
        return { kind: 'lost', found: before.list && (await newSince(before.list, body.provider)) }
      },
    )
  }

  async function newSince(
    before: readonly CloudConnection[],
    provider: string,
  ): Promise<readonly CloudConnection[] | null> {
    const known = new Set(before.map(({ id }) => id))
    try {
      for (const delayMs of looksAfterMs) {
        await clock.sleep(delayMs)
        const { connections } = await listConnections(http)
        const found = connections.filter(({ id, cloud_type }) => !known.has(id) && cloud_type === provider)
        if (found.length > 0) return found
      }
      return []
    } catch (error) {
      if (error instanceof ProblemError) return null
      throw error
    }
  }

  async function list(signal?: AbortSignal): Promise<CloudList> {
    const listed = await listConnections(http, signal)
    onListed(listed)
    return listed
  }

  return { list, add }
}

function listConnections(http: Http, signal?: AbortSignal): Promise<CloudList> {
  return http.send({
    method: 'GET',
    path,
    reply: z.array(z.unknown()).transform(readCloudList),
    repeatable: true,
    ...(signal && { signal }),
  })
}

/**
 * What a later list is compared with. For a key that may add but not look there is nothing to compare, which is no
 * reason to add nothing.
 */
async function listedBefore(
  http: Http,
): Promise<
  | { readonly kind: 'asked'; readonly list: readonly CloudConnection[] | null }
  | { readonly kind: 'not-sent'; readonly problem: Problem }
> {
  try {
    return { kind: 'asked', list: (await listConnections(http)).connections }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const { problem } = error
    return problem.kind === 'not-allowed' ? { kind: 'asked', list: null } : { kind: 'not-sent', problem }
  }
}
