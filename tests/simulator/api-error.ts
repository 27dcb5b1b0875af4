import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** Messages name what was sent, which may be long; in characters. */
const LONGEST_MESSAGE = 500

/** A refusal, answered in the API's error shape `{error, msg}` (service API 7). */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  /** Further fields of the body, such as `fail_count`. */
  readonly extra: Readonly<Record<string, unknown>>

  constructor(
    status: ContentfulStatusCode,
    code: string,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.extra = extra
  }

  get body(): Record<string, unknown> {
    return { error: this.code, msg: this.message, ...this.extra }
  }
}

/** 400 `bad_request`: the request is not what the API describes; `message` says what is wrong, and where. */
export const badRequest = (message: string): ApiError => new ApiError(400, 'bad_request', message)

/** Parses one part of a request; a refusal names the part, the path inside it, and what is wrong there. */
export function parsePart<T>(part: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${[part, ...issue.path].join('.')}: ${issue.message}`)
  throw badRequest(problems.join('; '))
}
