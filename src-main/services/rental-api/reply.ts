import { z } from 'zod'
import { ProblemError, type Problem } from '../../domain/base/problem.ts'
import { problemOfErrorReply, type ErrorReply } from '../../domain/rental-api/service-errors.ts'
import { serviceLine } from '../../domain/rental-api/service-text.ts'
import { readJson } from './reply-json.ts'

/** Ten thousand offers weigh some 20 MB; a reply beyond this is not the service talking. */
export const largestReplyBytes = 128 * 1024 * 1024

/** What is shown of an error, in UTF-16 units. */
const longestCode = 100
const longestMessage = 500

const errorBody = z.looseObject({
  error: z.string().optional(),
  msg: z.string().optional(),
  detail: z.string().optional(),
})

/** What a request expects of its reply. */
export interface Expected<T> {
  readonly reply: z.ZodType<T>
  /** What the codes of this part of the API mean; they are looked at before the status. `null`: not one of them. */
  readonly refusal?: (reply: ErrorReply) => Problem | null
  /** Which permission a key needs for this, where the API says so. */
  readonly permission?: string
}

/**
 * The body of a reply as its schema describes it.
 *
 * @param now when it came, ms since the epoch
 * @throws ProblemError `bad-reply` naming the path of what does not fit; for status 400 and above, what the
 *   service's error means
 */
export async function readReply<T>(
  response: Response,
  { reply: schema, refusal, permission }: Expected<T>,
  now: number,
): Promise<T> {
  const { status } = response
  const bytes = await readBytes(response)
  const json = readJson(bytes)
  if (status >= 400) {
    const body = errorBody.safeParse(json.ok ? json.value : undefined)
    const reply: ErrorReply = {
      status,
      code: serviceLine(body.data?.error ?? '', longestCode),
      message: serviceLine(
        body.data?.msg ?? body.data?.detail ?? (json.ok || looksLikeHtml(bytes) ? '' : beginOf(bytes)),
        longestMessage,
      ),
      retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after'), now),
      body: body.data,
    }
    const problem = refusal?.(reply) ?? problemOfErrorReply(reply)
    const isNamed = problem.kind === 'not-allowed' && permission !== undefined
    throw new ProblemError(isNamed ? { ...problem, permission } : problem)
  }
  if (!json.ok) {
    const detail = looksLikeHtml(bytes) ? 'HTML instead of JSON' : json.detail
    throw new ProblemError({ kind: 'bad-reply', status, path: '', detail })
  }
  const parsed = schema.safeParse(json.value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = (issue?.path ?? []).map(String).join('.')
  throw new ProblemError({ kind: 'bad-reply', status, path, detail: issue?.message ?? 'unexpected content' })
}

async function readBytes(response: Response): Promise<Buffer> {
  const body: ReadableStream<Uint8Array> | null = response.body
  if (body === null) return Buffer.alloc(0)
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size > largestReplyBytes)
      throw new ProblemError({ kind: 'bad-reply', status: response.status, path: '', detail: 'far too long' })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** As much of a text as could be shown. */
function beginOf(bytes: Buffer): string {
  return bytes.toString('utf8', 0, 4 * longestMessage)
}

function looksLikeHtml(bytes: Buffer): boolean {
  return beginOf(bytes).trimStart().startsWith('<')
}

/** Seconds from a Retry-After header, which names them or a date (RFC 9110 section 10.2.3). */
function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
