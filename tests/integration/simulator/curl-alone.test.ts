import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Simulator, startSimulator } from '../../simulator/simulator.ts'

const SCRIPT = join(import.meta.dirname, 'curl-alone.sh')

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ offers: 1 })
})
afterAll(() => simulator.close())

it('curl alone goes through 2FA, from the first method to none', async () => {
  const { stdout } = await promisify(execFile)('bash', [SCRIPT, simulator.baseUrl, simulator.key])
  expect(stdout.trim().split('\n')).toEqual([
    'ok: authorizes a first method by e-mail',
    'ok: enrols TOTP',
    'ok: gets ten backup codes',
    'ok: logs in',
    'ok: goes on with the session',
    'ok: may add no method after the window',
    'ok: authorizes a further method by TOTP',
    'ok: adds SMS within the window',
    'ok: shows no more of the number than its end',
    'ok: is locked out',
    'ok: is told how often it failed',
    'ok: is locked out for 15 minutes',
    'ok: comes back',
    'ok: removes SMS',
    'ok: removes TOTP, and 2FA with it',
    'ok: has no backup codes left',
  ])
})
