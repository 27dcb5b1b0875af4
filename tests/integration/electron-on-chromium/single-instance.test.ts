import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockUserData } from '../../electron-on-chromium/single-instance.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const ignore = () => undefined

/** A process that has the lock of a data folder. */
async function startHolder() {
  const folder = await temporaryFolder()
  const module = JSON.stringify(join(import.meta.dirname, '../../electron-on-chromium/single-instance.ts'))
  const program = `const { lockUserData } = await import(${module})
    lockUserData(${JSON.stringify(folder)}, () => undefined)
    console.log('locked')
    setInterval(() => undefined, 1_000)`
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', program])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return { folder, lock: join(folder, 'instance.lock'), holder }
}

test('a data folder that a living process has is not given to another', async () => {
  const { folder } = await startHolder()
  expect(lockUserData(folder, ignore)).toBeNull()
})

test('that of a killed process is, also when another process has its number by now', async () => {
  const { folder, lock, holder } = await startHolder()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const left = await readFile(lock, 'utf8')
  await writeFile(lock, left.replace(String(holder.pid), String(process.pid)))
  const release = lockUserData(folder, ignore)
  expect(release).not.toBeNull()
  release?.()
})
