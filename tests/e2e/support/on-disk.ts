import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { accountFolder } from './actions.ts'

/**
 * The window shows at once what was changed in it, and main keeps it a moment later: a test that is not about quitting
 * in between waits here, until main has it on the disk.
 */
export async function untilKept(file: string, content: string | RegExp): Promise<void> {
  await expect
    .poll(() => readFile(file, 'utf8').catch(() => ''), { message: `what ${file} holds` })
    .toMatch(content)
}

/** Until the next start of the only account begins on this page. */
export async function untilPageIsKept(userData: string, page: string): Promise<void> {
  await untilKept(join(await accountFolder(userData), 'frame.json'), `"page": "${page}"`)
}

export const preferencesOf = (userData: string): string => join(userData, 'preferences.json')
