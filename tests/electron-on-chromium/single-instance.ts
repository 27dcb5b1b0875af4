import { mkdirSync, readFileSync, rmSync, statSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** `began` tells its process from a later one that has the same number. */
const holder = z.object({ pid: z.number().int(), began: z.string().nullable().default(null) })
const call = z.object({ argv: z.array(z.string()), cwd: z.string() })
export type SecondStart = z.infer<typeof call>

/**
 * Electron's lock: one process per data folder. A second one leaves a note for the first before it is refused.
 * A lock whose process is gone (killed) is taken over.
 *
 * @returns how to release the lock, or `null` when another process has it
 */
export function lockUserData(
  userData: string,
  onSecondStart: (start: SecondStart) => void,
): (() => void) | null {
  mkdirSync(userData, { recursive: true })
  const lock = join(userData, 'instance.lock')
  const note = join(userData, 'instance.call')
  if (!take(lock)) {
    writeFileSync(note, JSON.stringify({ argv: process.argv, cwd: process.cwd() } satisfies SecondStart))
    return null
  }
  rmSync(note, { force: true })
  const watcher = watch(userData, (_event, name) => {
    if (name !== 'instance.call') return
    const start = readNote(note)
    if (start === null) return
    rmSync(note, { force: true })
    onSecondStart(start)
  })
  watcher.unref()
  return () => {
    watcher.close()
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  const mine = JSON.stringify({ pid: process.pid, began: beginOf(process.pid) })
  for (;;) {
    try {
      writeFileSync(lock, mine, { flag: 'wx' })
      return true
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
      if (isHeld(lock)) return false
      rmSync(lock, { force: true })
    }
  }
}

function isHeld(lock: string): boolean {
  const parsed = holder.safeParse(JSON.parse(readFileSync(lock, 'utf8')))
  if (!parsed.success) return false
  const { pid, began } = parsed.data
  try {
    process.kill(pid, 0)
    return began === null || began === beginOf(pid)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process began, as Linux has it (field 22 of proc_pid_stat(5)); `null` elsewhere, and where there is none. */
function beginOf(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name may hold spaces and brackets.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return null
    throw error
  }
}

/** `null` while it is not written completely, or already read. */
function readNote(note: string): SecondStart | null {
  try {
    if (statSync(note).size === 0) return null
    return call.parse(JSON.parse(readFileSync(note, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
