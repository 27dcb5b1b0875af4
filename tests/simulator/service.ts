import { type Context, Hono, type HonoRequest } from 'hono'
import type { Accounts } from './accounts.ts'
import { ApiError } from './api-error.ts'
import type { Clock } from './clock.ts'
import type { Endpoint, Identify } from './endpoint.ts'
import { type Delivery, deliveryAfterWork, deliveryBeforeWork, whole } from './faults/fault-replies.ts'
import type { Faults } from './faults/faults.ts'
import type { Journal } from './journal.ts'
import { maskPath } from './journal-mask.ts'
import { parseBody } from './json.ts'
import { requireLoopback } from './loopback.ts'
import { refuseOtherMethods } from './methods.ts'
import type { ServiceEnv } from './service-env.ts'
import { LONGEST_BODY_BYTES, readBody, refuseLongBody } from './request-body.ts'

export interface ServiceParts {
  readonly endpoints: readonly Endpoint[]
  /** The control endpoints, which are neither journalled nor hit by faults. */
  readonly control: Hono<ServiceEnv>
  readonly accounts: Accounts
  readonly clock: Clock
  readonly faults: Faults
  readonly journal: Journal
}

export const CONTROL_PREFIX = '/_simulator'

/** Puts the service together: endpoints, journal, faults, and a refusal for everything that the API does not describe. */
export function createService(parts: ServiceParts): Hono<ServiceEnv> {
  const { endpoints, control, accounts, clock, faults, journal } = parts
  const app = new Hono<ServiceEnv>()

  app.use(async (context, next) => {
    // Node would take the machine's clock, and who reads one-time passwords off the Date would be wrong after an advance.
    context.env.outgoing.setHeader('Date', new Date(clock.now()).toUTCString())
    requireLoopback(context.env.incoming.headers)
    context.set('body', await readBody(context.env.incoming))
    await next()
  })

  app.route(CONTROL_PREFIX, control)

  app.use(async (context, next) => {
    const { method, raw } = context.req
    const { pathname, search } = new URL(raw.url)
    const body = readForJournal(context.get('body'))
    const entry = journal.open({ at: clock.nowSeconds(), method, path: maskPath(pathname, search), body })
    context.set('entry', entry)
    // HEAD is refused anyway, and Hono makes a reply of its own for it, also where a fault has sent one already.
    const fault = method === 'HEAD' ? null : faults.take(method, pathname)
    entry.fault = fault?.kind ?? null
    let delivery: Delivery | null = fault === null ? null : await deliveryBeforeWork(fault)
    if (delivery === null) {
      await next()
      delivery = fault === null ? whole(context.res) : await deliveryAfterWork(fault, context.res)
    }
    entry.status = delivery.status
    const reply = await delivery.send(context.env)
    // Assigning over a reply that is there would mix the headers of both.
    context.res = undefined
    context.res = reply
  })

  app.use(refuseLongBody)
  refuseOtherMethods(app, endpoints)

  for (const endpoint of endpoints) {
    app.on(endpoint.method, endpoint.path, async (context) => {
      const request = {
        authorization: context.req.header('Authorization'),
        params: context.req.param(),
        query: queryOf(context.req),
        body: context.get('body'),
      }
      const identify: Identify = (authorization) => {
        const caller = accounts.authenticate(authorization)
        const entry = context.get('entry')
        entry.key = caller.kind === 'instance' ? 'instance' : caller.account.fixture
        entry.session = caller.kind === 'instance' ? null : caller.session
        return caller
      }
      const headers = new Headers()
      const reply = await endpoint.answer(request, identify, headers)
      return context.json(reply, 200, Object.fromEntries(headers))
    })
  }

  app.notFound((context) => {
    const hint = context.req.path.endsWith('/') ? '' : '; the paths of the service end with a slash'
    return refuse(context, new ApiError(404, 'not_found', `there is no path ${context.req.path}${hint}`))
  })

  app.onError((error, context) => {
    if (error instanceof ApiError) return refuse(context, error)
    // The caller hung up in the middle of the body, so nobody is there who could be answered.
    if (context.env.incoming.readableAborted) return context.body(null)
    process.stderr.write(`simulator: unexpected error: ${error.stack ?? String(error)}\n`)
    return refuse(context, new ApiError(500, 'internal_error', `the simulator is at fault: ${String(error)}`))
  })

  return app
}

const refuse = (context: Context<ServiceEnv>, { body, status }: ApiError): Response =>
  context.json(body, status)

function queryOf(request: HonoRequest): Readonly<Record<string, string | readonly string[]>> {
  const values = Object.entries(request.queries())
  return Object.fromEntries(
    values.map(([name, [first = '', ...more]]) => [name, more.length ? [first, ...more] : first]),
  )
}

/** A body that is no object is not kept, because its secrets could not be masked. */
function readForJournal(bytes: Buffer): unknown {
  if (bytes.length === 0) return null
  if (bytes.length > LONGEST_BODY_BYTES) return `(more than ${String(LONGEST_BODY_BYTES)} bytes)`
  const length = `${String(bytes.length)} bytes`
  try {
    const body = parseBody(bytes)
    return typeof body === 'object' && !Array.isArray(body) ? body : `(no object, ${length})`
  } catch (error) {
    if (error instanceof ApiError) return `(no JSON that the service takes, ${length})`
    throw error
  }
}
