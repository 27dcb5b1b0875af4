import { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import {
  permissionFrom,
  type KeyPermissions,
  type PermissionAnswer,
  type PermissionCategory,
} from '../../domain/accounts/key-permissions.ts'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import type { Http, HttpRequest } from '../rental-api/http.ts'

const someList = z.array(z.unknown())
type AskedCategory = Exclude<PermissionCategory, 'instance_write'>

/**
 * One request for each category that changes nothing whatever becomes of it. That searching templates needs `user_read`
 * is the API's word (4.5); the other two go by the categories' names, because the API does not show its mapping.
 * There is none for `instance_write`: each request that the API describes for it rents, stops or destroys (4.4).
 */
const questions: Readonly<Record<AskedCategory, HttpRequest<unknown>>> = {
  user_read: {
    method: 'GET',
    path: `/api/v0/template/?${new URLSearchParams({ select_filters: '{"id":{"eq":0}}' }).toString()}`,
    reply: z.looseObject({ templates: someList }),
    repeatable: true,
  },
  instance_read: {
    method: 'GET',
    path: '/api/v0/instances/',
    reply: z.looseObject({ instances: someList }),
    repeatable: true,
  },
  misc: {
    method: 'POST',
    path: '/api/v0/bundles/',
    body: { limit: 1 },
    reply: z.looseObject({ offers: someList }),
    repeatable: true,
  },
}

export interface KeyPermissionsService {
  /** @throws ProblemError no-account, and what keeps a key from being read; never what the service answers */
  readonly ask: (signal?: AbortSignal) => Promise<KeyPermissions>
}

/** What the key in use may do. */
export function createKeyPermissionsService({
  key,
  clock,
}: {
  readonly key: { readonly state: Pick<Latest<AccountState>, 'value'>; readonly http: Http }
  readonly clock: Clock
}): KeyPermissionsService {
  return {
    ask: async (signal) => {
      const inUse = key.state.value
      if (inUse.kind === 'none') throw new ProblemError({ kind: 'no-account' })
      const answers = await askPermissions(key.http, signal)
      return { at: clock.now(), keyMask: inUse.keyMask, answers }
    },
  }
}

const beforeAsking: ReadonlySet<Problem['kind']> = new Set([
  'no-account',
  'keychain-locked',
  'keychain-unavailable',
  'secret-missing',
  'address-changed',
])

/** The key could not even be had, so that nothing was asked. */
function isBeforeAsking({ kind }: Problem): boolean {
  return beforeAsking.has(kind)
}

/**
 * Whether the service answers the key with templates or instances, as the API promises: an error page lets nobody
 * through. A search for offers shows nothing: the API doesn't say which permission it needs, and it may need none.
 *
 * @param refused what was just asked with it, and isn't asked again
 */
export async function isLetThrough(
  http: Http,
  refused?: Asked & Pick<HttpRequest<unknown>, 'signal'>,
): Promise<boolean> {
  const { user_read, instance_read } = questions
  const signal = refused?.signal
  const replies = await Promise.allSettled(
    [user_read, instance_read]
      .filter((question) => refused === undefined || !isSame(question, refused))
      .map((question) => http.send({ ...question, repeatable: false, ...(signal && { signal }) })),
  )
  return replies.some(({ status }) => status === 'fulfilled')
}

type Asked = Pick<HttpRequest<unknown>, 'method' | 'path'>

function isSame(one: Asked, other: Asked): boolean {
  const [path, otherPath] = [one.path, other.path].map((text) => text.split('?')[0])
  return one.method === other.method && path === otherPath
}

/**
 * The same client, which tells a limited key from a wrong one where the service refuses both with 401 (service API 5.3):
 * what is let through elsewhere is a key, and lacks the permission for this.
 */
export function tellingLimits(http: Http): Http {
  return {
    send: async (request) => {
      try {
        return await http.send(request)
      } catch (error) {
        if (!(error instanceof ProblemError) || error.problem.kind !== 'key-refused') throw error
        if (!(await isLetThrough(http, request))) throw error
        const { message } = error.problem
        const { permission } = request
        throw new ProblemError({
          kind: 'not-allowed',
          code: '',
          message,
          ...(permission !== undefined && { permission }),
        })
      }
    },
  }
}

/** Finds out what a key may do, by asking (service API 2.9, 5.3). It never throws for what the service answers. */
export async function askPermissions(http: Http, signal?: AbortSignal): Promise<KeyPermissions['answers']> {
  const ask = async (category: AskedCategory): Promise<PermissionAnswer> => {
    try {
      await http.send({ ...questions[category], ...(signal && { signal }) })
      return permissionFrom(null)
    } catch (error) {
      if (!(error instanceof ProblemError) || isBeforeAsking(error.problem)) throw error
      return permissionFrom(error.problem)
    }
  }
  const [user_read, instance_read, misc] = await Promise.all([
    ask('user_read'),
    ask('instance_read'),
    ask('misc'),
  ])
  return { user_read, instance_read, instance_write: { kind: 'not-asked' }, misc }
}
