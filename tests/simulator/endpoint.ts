import { z } from 'zod'
import { type Caller, type Category, requireCategory } from './accounts.ts'
import { parsePart } from './api-error.ts'
import { parseBody } from './json.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A request before it was understood. */
export interface RawRequest {
  readonly authorization: string | undefined
  /** Parts of the path by their names. */
  readonly params: Readonly<Record<string, string>>
  /** Parameters of the query; one that is there several times has all its values. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** The body as it came, empty if there was none. */
  readonly body: Buffer
}

/** Finds out who is calling; may refuse. Left to the endpoint, because 2FA endpoints also take a secret instead. */
export type Identify = (authorization: string | undefined) => Caller

/** One method on one path of the service: refuses by throwing ApiError, answers with the reply's JSON. */
export interface Endpoint {
  readonly method: Method
  /** Path with `:name` for a variable part; it ends with a slash. */
  readonly path: string
  /** `headers` are those of the reply; few endpoints add any. */
  answer(request: RawRequest, identify: Identify, headers: Headers): Promise<object>
}

interface KeyedEndpoint<Params, Query, Body> {
  readonly method: Method
  readonly path: string
  /**
   * What an account's key must be allowed. `own-instance` is `instance_write` for accounts, and is open to instances,
   * where the endpoint itself looks which one is calling.
   */
  readonly access: Category | 'own-instance'
  readonly params: z.ZodType<Params>
  readonly query: z.ZodType<Query>
  /** Shape of the JSON body, or `noBody`. */
  readonly body: z.ZodType<Body>
  answer(request: {
    readonly caller: Caller
    readonly params: Params
    readonly query: Query
    readonly body: Body
  }): object | Promise<object>
}

/** An endpoint that needs an API key: the key is looked at first, then the path, the query and the body. */
export function keyedEndpoint<Params, Query, Body>(definition: KeyedEndpoint<Params, Query, Body>): Endpoint {
  const { method, path, access } = definition
  return {
    method,
    path,
    async answer(request, identify) {
      const caller = identify(request.authorization)
      if (access !== 'own-instance') requireCategory(caller, access)
      else if (caller.kind === 'account') requireCategory(caller, 'instance_write')
      const params = parsePart('path', definition.params, request.params)
      const query = parsePart('query', definition.query, request.query)
      const body = parsePart('body', definition.body, parseBody(request.body))
      return await definition.answer({ caller, params, query, body })
    },
  }
}

/** For paths without variable parts. */
export const noParams = z.strictObject({})
/** For requests without a query. */
export const noQuery = z.strictObject({})
/** For requests whose body says nothing. */
export const noBody = z.strictObject({}, { error: 'this request takes no body' })

/** A path segment that is a positive integer. */
export const idSegment = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'expected a positive integer')
  .transform(Number)
