import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findFreePort } from '../../simulator/free-port.ts'

const drawn = 300

// With so many, two that know nothing of each other draw the same one all but always.
test.runIf(process.platform === 'linux')('no two processes are given the same port', async () => {
  const own: number[] = []
  while (own.length < drawn) own.push(await findFreePort())
  const file = JSON.stringify(join(import.meta.dirname, '..', '..', 'simulator', 'free-port.ts'))
  const program = `
    const { findFreePort } = await import(${file})
    for (let count = 0; count < ${drawn}; count += 1) console.log(await findFreePort())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const other = stdout.trim().split('\n').map(Number)
  expect(other).toHaveLength(drawn)
  expect(new Set([...own, ...other]).size).toBe(2 * drawn)
})
