import { formatJumpHosts, mostJumpHosts, parseJumpHosts } from '#domain/ssh/jump-host.ts'

/** What is typed as jump hosts, as it is kept: empty for none; `null` while it cannot be read. */
export function jumpHostsDraft(typed: string): string | null {
  if (typed.trim() === '') return ''
  const hosts = parseJumpHosts(typed)
  return hosts === null ? null : formatJumpHosts(hosts)
}

export const jumpHostsError = `Enter user@host:port, with commas between several (at most ${mostJumpHosts}). User and port are optional.`
