import type { Hono, MiddlewareHandler } from 'hono'
import { ApiError } from './api-error.ts'
import type { ServiceEnv } from './service.ts'

const refusal = (message: string): ApiError => new ApiError(405, 'method_not_allowed', message)

/** Refuses HEAD, which Hono would answer with the headers of GET. */
export const refuseHead: MiddlewareHandler<ServiceEnv> = async ({ req }, next) => {
  if (req.method === 'HEAD') throw refusal('HEAD is not described')
  await next()
}

/** Refuses every method of these paths that is not among theirs; to be called when all of them are there. */
export function refuseOtherMethods(
  app: Hono<ServiceEnv>,
  endpoints: Iterable<{ readonly path: string; readonly method: string }>,
): void {
  const methods = new Map<string, readonly string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  for (const [path, ofPath] of methods) {
    app.all(path, ({ req }) => {
      throw refusal(`${req.method} is not one of the methods here: ${ofPath.join(', ')}`)
    })
  }
}
