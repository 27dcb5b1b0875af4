import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '../domain/base/log.ts'
import { parseJson } from '../domain/base/json-value.ts'

const latestVersion = 1
/** Files that were written before they said a version are of the first one. */
const versioned = z.object({ version: z.int().min(1).default(1) })

const rememberedWindow = z.object({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isMaximized: z.boolean(),
})

/** Where the window stood when it was not maximized, and whether it was. */
export type RememberedWindow = z.infer<typeof rememberedWindow>

/**
 * Where the window was when it was last closed, or `null`. A file that cannot be used costs the user a drag of
 * the mouse, so it is logged and replaced, without ceremony; a newer Slipway's is logged and stays.
 */
export function readRememberedWindow(path: string, log: Log): RememberedWindow | null {
  try {
    if (isOfNewer(path)) {
      log.warn(`A newer Slipway saved ${path}: it stays as it is, and the window opens at its default place`)
      return null
    }
    return rememberedWindow.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    const isFirstStart = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isFirstStart) log.warn(`Cannot use ${path}: the window opens at its default place`)
    return null
  }
}

/** At once, because it is called while the window closes. */
export function writeRememberedWindow(path: string, window: RememberedWindow, log: Log): void {
  try {
    if (existsSync(path) && isOfNewer(path)) return
    writeFileSync(path, `${JSON.stringify({ version: latestVersion, ...window })}\n`)
  } catch (error) {
    log.error(`Cannot write ${path}`, error)
  }
}

/** @throws when the file cannot be read */
function isOfNewer(path: string): boolean {
  const parsed = versioned.safeParse(parseJson(readFileSync(path, 'utf8')))
  return parsed.success && parsed.data.version > latestVersion
}
