import type { MiddlewareHandler } from 'hono'
import type { Readable } from 'node:stream'
import { ApiError } from './api-error.ts'
import type { ServiceEnv } from './service-env.ts'

/** Nothing that the API describes comes near this; what is longer would only keep everybody else waiting. */
export const LONGEST_BODY_BYTES = 1024 * 1024

/** Reads a body to its end. Of one that is too long only so much is kept that this can be seen. */
export async function readBody(incoming: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let keptBytes = 0
  for await (const piece of incoming) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('the request is read as text already')
    if (keptBytes > LONGEST_BODY_BYTES) continue
    pieces.push(piece)
    keptBytes += piece.length
  }
  return Buffer.concat(pieces)
}

/** Refuses a body that is too long. */
export const refuseLongBody: MiddlewareHandler<ServiceEnv> = async (context, next) => {
  if (context.get('body').length > LONGEST_BODY_BYTES) {
    throw new ApiError(413, 'body_too_large', `a body has at most ${String(LONGEST_BODY_BYTES)} bytes here`)
  }
  await next()
}
