import { keptDumps, keptDumpsDays, type CrashDump } from '#domain/diagnostics/crash-dump.ts'
import { counted } from '#domain/base/plural.ts'
import { formatBytes } from '#ui/format.ts'

/** What crash dumps are, and what may be in them. */
export const crashDumpText =
  'If Slipway crashes, a part of its memory is saved on this computer to help find the cause. A crash dump may contain secrets, such as API keys and private keys. Give it only to someone you trust with them.'

/** Where they don't go, and for how long they stay. */
export const crashDumpKeptText = `Slipway never sends crash dumps, and leaves them out of copied diagnostics and saved logs. It deletes all but the newest ${keptDumps}, and those older than ${keptDumpsDays} days.`

export const deleteDumpsText =
  'This deletes all crash dumps from this computer. You can’t undo this. If someone is looking into a crash, give them the crash dump first: it may contain secrets, so only if you trust them with those.'

/** “3 crash dumps, 12.4 MB”. */
export function dumpCountText(dumps: readonly CrashDump[]): string {
  if (dumps.length === 0) return 'No crash dumps'
  const total = dumps.reduce((sum, { bytes }) => sum + bytes, 0)
  return `${counted(dumps.length, 'crash dump')}, ${formatBytes(total)}`
}
