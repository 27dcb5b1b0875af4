import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Log } from '../domain/log.ts'

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
 * the mouse, so it is logged and replaced, without ceremony.
 */
export function readRememberedWindow(path: string, log: Log): RememberedWindow | null {
  try {
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
    writeFileSync(path, `${JSON.stringify(window)}\n`)
  } catch (error) {
    log.error(`Cannot write ${path}`, error)
  }
}
