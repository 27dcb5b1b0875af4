import { open } from 'node:fs/promises'
import { orStorageFailed } from '../storage/disk.ts'
import { linesFrom, longestLineBytes } from '../storage/line-log/search-lines.ts'
import type { JobLog } from './job-log.ts'

/** A private key has a few thousand characters. */
const longestKey = 64 * 1024

/** Writes all that is here into a file, for its owner only, without secrets. @throws ProblemError storage-failed */
export function saveLog(log: JobLog, path: string, redact: (text: string) => string): Promise<void> {
  return orStorageFailed(path, async () => {
    const handle = await open(path, 'w', 0o600)
    try {
      let held = ''
      for await (const { at, text, next } of linesFrom(log, log.changed.value.keptFrom)) {
        held += text + (next - at > Buffer.byteLength(text) ? '\n' : '')
        if (held.length < longestLineBytes || isWithinKey(held)) continue
        await handle.appendFile(redact(held))
        held = ''
      }
      await handle.appendFile(redact(held))
    } finally {
      await handle.close()
    }
  })
}

/** Whether the end of a private key may still come: it's told as one only as a whole. */
function isWithinKey(text: string): boolean {
  const begun = text.lastIndexOf('-----BEGIN ')
  return begun >= 0 && text.length - begun < longestKey && !text.includes('-----END ', begun)
}
