import { cp, rm } from 'node:fs/promises'
import { isMissing } from './leaks.ts'

/** Copies a folder that is in use: what goes away meanwhile may have got another name, so it's begun again. */
export async function copyFolder(from: string, to: string): Promise<void> {
  for (;;) {
    try {
      return await cp(from, to, { recursive: true })
    } catch (error) {
      if (!isMissing(error)) throw error
      await rm(to, { recursive: true, force: true })
    }
  }
}
