import type { z } from 'zod'
import { type Account, type Caller, CATEGORIES, forbidden, requireCategory } from '../accounts.ts'
import { ApiError, parsePart } from '../api-error.ts'
import { type Endpoint, type Identify, type Method, noParams, noQuery } from '../endpoint.ts'
import { parseBody } from '../json.ts'
import type { Challenge } from './challenges.ts'
import { noCredentials, refusal } from './refusals.ts'
import type { TwoFactorState } from './state.ts'
import type { TwoFactor } from './two-factor.ts'

/** A holder of an account's API key, or of a session that began with one. */
export type KeyHolder = Extract<Caller, { readonly kind: 'account' }>

/** Who sent a 2FA request: a key's holder, or somebody logged out, by the secret of the login. */
export type Sender = KeyHolder | { readonly kind: 'logged-out'; readonly login: Challenge }

interface Request<Body, From> {
  readonly sender: From
  readonly account: Account
  readonly state: TwoFactorState
  readonly body: Body
  /** Headers of the reply. */
  readonly headers: Headers
}

interface Definition<Body, From> {
  readonly method: Method
  readonly path: string
  readonly body: z.ZodType<Body>
  answer(request: Request<Body, From>): object
}

/** A 2FA endpoint that takes a Bearer token only; `reads` if it changes nothing (service API 5, the table). */
export function bearerEndpoint<Body>(
  twoFactor: TwoFactor,
  definition: Definition<Body, KeyHolder> & { readonly reads?: true },
): Endpoint {
  const { method, path, reads = false } = definition
  return {
    method,
    path,
    async answer(request, identify, headers) {
      if (request.authorization === undefined)
        throw refusal('auth_error', 'this endpoint needs the header "Authorization: Bearer <API_KEY>"')
      const sender = keyHolder(request.authorization, identify, reads)
      parsePart('path', noParams, request.params)
      parsePart('query', noQuery, request.query)
      const body = parsePart('body', definition.body, parseBody(request.body))
      const { account } = sender
      return definition.answer({ sender, account, state: twoFactor.stateOf(account), body, headers })
    },
  }
}

/** A 2FA endpoint that takes a Bearer token or, from those who are logged out, the `tfa_secret` of the login. */
export function openEndpoint<Body extends { readonly secret?: string | undefined }>(
  twoFactor: TwoFactor,
  definition: Definition<Body, Sender>,
): Endpoint {
  const { method, path } = definition
  return {
    method,
    path,
    async answer(request, identify, headers) {
      const holder =
        request.authorization === undefined ? null : keyHolder(request.authorization, identify, false)
      parsePart('query', noQuery, request.query)
      const body = parsePart('body', definition.body, parseBody(request.body))
      const sender = holder ?? { kind: 'logged-out' as const, login: findLogin(twoFactor, body.secret) }
      const account = sender.kind === 'account' ? sender.account : sender.login.account
      return definition.answer({ sender, account, state: twoFactor.stateOf(account), body, headers })
    },
  }
}

function keyHolder(authorization: string, identify: Identify, reads: boolean): KeyHolder {
  const caller = identifyOrRefuse(authorization, identify)
  if (caller.kind === 'instance') throw forbidden("an instance's own key reaches only that instance")
  if (reads) requireCategory(caller, 'user_read')
  else if (!CATEGORIES.every((category) => caller.categories.includes(category)))
    throw forbidden('no category of a scoped key reaches the 2FA settings; a full-access key is needed')
  requireNoTeam(caller.account)
  return caller
}

/** What is 401 `unauthorized` elsewhere is `auth_error` here. */
function identifyOrRefuse(authorization: string, identify: Identify): Caller {
  try {
    return identify(authorization)
  } catch (error) {
    if (error instanceof ApiError) throw refusal('auth_error', error.message)
    throw error
  }
}

function findLogin(twoFactor: TwoFactor, secret: string | undefined): Challenge {
  if (secret === undefined)
    throw noCredentials('neither a Bearer token nor the tfa_secret of a login was sent')
  const login = twoFactor.challenges.find(secret, null)
  if (login.origin !== 'login')
    throw refusal('auth_error', 'this secret does not come from a login: send the Bearer token with it')
  requireNoTeam(login.account)
  return login
}

function requireNoTeam(account: Account): void {
  if (account.isTeam) throw refusal('team_user_forbidden', '2FA cannot be used from a team context')
}
