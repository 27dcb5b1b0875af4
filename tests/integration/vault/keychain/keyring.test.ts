import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startKeyring, withKeyring } from '../../../keyring/keyring.ts'

/** Processes whose command line names the folder. */
async function processesOf(folder: string): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  return lines.filter((line) => line.includes(folder))
}

test('nothing of a keyring is left when it is stopped', async () => {
  const folder = await withKeyring(async (keyring) => {
    expect(await processesOf(keyring.folder)).not.toEqual([])
    return keyring.folder
  })
  await expect.poll(() => processesOf(folder)).toEqual([])
  await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('nothing of a keyring is left when the program that started it is killed', async () => {
  const program = `
    const { startKeyring } = await import(${JSON.stringify(new URL('../../../keyring/keyring.ts', import.meta.url))})
    const keyring = await startKeyring()
    keyring.freeze()
    console.log(keyring.folder)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [folder] = (await once(createInterface(child.stdout), 'line')).map(String)
  expect(folder).toMatch(/slipway-keyring-/)
  child.kill('SIGKILL')
  await expect.poll(() => processesOf(folder ?? '')).toEqual([])
  await expect
    .poll(() => stat(folder ?? '').catch((error: unknown) => error))
    .toMatchObject({ code: 'ENOENT' })
})

test('a program that is not installed is named with its package', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = '/nonexistent'
  try {
    await expect(startKeyring()).rejects.toThrow(
      'dbus-daemon could not be started (Debian: apt-get install dbus)',
    )
  } finally {
    process.env['PATH'] = path
  }
})
