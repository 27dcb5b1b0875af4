import type { Log } from '#domain/base/log.ts'

/** A log that keeps its lines for the test that owns it. */
export function memoryLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  return {
    lines,
    info: (message) => void lines.push(message),
    warn: (message) => void lines.push(message),
    error: (message, error) => {
      lines.push(`${message}: ${String(error)}`)
      return `log-${lines.length}`
    },
  }
}
