import type { z } from 'zod'

/**
 * What one entry may take, in bytes: Windows keeps 2,560, and one limit for all systems keeps a vault portable.
 */
export const largestValueBytes = 2400

const prefix = 'v1.'

/**
 * A value as it is kept: `v1.` and base64url of JSON, so that it is plain ASCII without NUL (values are cut
 * there) or line breaks (they can corrupt a keyring without a password). `null` when it would be too long.
 */
export function encodeEntry(value: unknown): string | null {
  const text = prefix + Buffer.from(JSON.stringify(value)).toString('base64url')
  return text.length > largestValueBytes ? null : text
}

/** The other way round; `null` for what this version did not write, or what does not fit the schema. */
export function decodeEntry<T>(text: string, schema: z.ZodType<T>): { readonly value: T } | null {
  if (!text.startsWith(prefix)) return null
  const parsed = schema.safeParse(parseJson(Buffer.from(text.slice(prefix.length), 'base64url').toString()))
  return parsed.success ? { value: parsed.data } : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
