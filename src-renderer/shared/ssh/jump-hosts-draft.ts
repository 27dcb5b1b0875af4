import { z } from 'zod'
import { saying } from '#domain/base/input-fault.ts'
import { formatJumpHosts, parseJumpHosts } from '#domain/ssh/jump-host.ts'

/** What is typed as jump hosts, as it is kept: empty for none; `null` while it cannot be read. */
export function jumpHostsDraft(typed: string): string | null {
  if (typed.trim() === '') return ''
  const hosts = parseJumpHosts(typed)
  return hosts === null ? null : formatJumpHosts(hosts)
}

/** Jump hosts as a person types them, and then as they are kept. */
export const typedJumpHosts = z
  .string()
  .refine((typed) => jumpHostsDraft(typed) !== null, saying({ code: 'wrong-form' }))
  .transform((typed) => jumpHostsDraft(typed) ?? '')
