import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const register = join(import.meta.dirname, '..', '..', 'electron-on-chromium', 'register.ts')

test('a utility process is refused before the app is ready, and gets what was sent to it at once, as it was', async () => {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-utility-'))
  onTestFinished(() => rm(userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const main = join(import.meta.dirname, 'fixture', 'utility-main.ts')
  const env = { ...process.env, SLIPWAY_HEADLESS: '1', SLIPWAY_USER_DATA: userData }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', register, main], {
    env,
    timeout: 60_000,
  })
  expect(stdout.trim().split('\n')).toEqual([
    'utilityProcess cannot be created before app is ready.',
    '1970-01-01T00:00:00.000Z true 1,2',
  ])
})
