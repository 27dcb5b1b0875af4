import type { Hono } from 'hono'
import { ApiError } from './api-error.ts'
import type { ServiceEnv } from './service-env.ts'

/**
 * Refuses every method of these paths that is not among theirs, and says which are (RFC 9110, 15.5.6); to be called
 * before they are there. HEAD, too, which Hono would answer with the headers of GET.
 */
export function refuseOtherMethods(
  app: Hono<ServiceEnv>,
  endpoints: Iterable<{ readonly path: string; readonly method: string }>,
): void {
  const methods = new Map<string, readonly string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  for (const [path, ofPath] of methods) {
    const named = ofPath.join(', ')
    app.all(path, async ({ req, header }, next) => {
      if (ofPath.includes(req.method)) return next()
      header('Allow', named)
      throw new ApiError(405, 'method_not_allowed', `${req.method} is not one of the methods here: ${named}`)
    })
  }
}
