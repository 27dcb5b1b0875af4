import { stat } from 'node:fs/promises'
import { expect } from 'vitest'

/** That a file is there and has these permissions. Windows knows none: there, those of the folder count. */
export async function expectMode(path: string, mode: number): Promise<void> {
  const told = await stat(path)
  if (process.platform !== 'win32') expect(told.mode & 0o777).toBe(mode)
}
