import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFile } from '../../electron-on-chromium/watched-file.ts'
import { waitFor } from '../../support/wait-for.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a change to the file is told, one beside it is not, and the end of the folder is no failure', async () => {
  const folder = await temporaryFolder()
  let changes = 0
  let others = 0
  const watcher = watchFile(folder, 'here', () => (changes += 1))
  const beside = watchFile(folder, 'beside', () => (others += 1))
  onTestFinished(() => {
    watcher.close()
    beside.close()
  })
  // macOS begins to watch some time later, and doesn't say when.
  await waitFor(async () => {
    await writeFile(join(folder, 'beside'), 'text')
    expect(others).toBeGreaterThan(0)
  })
  expect(changes).toBe(0)
  await waitFor(async () => {
    await writeFile(join(folder, 'here'), 'text')
    expect(changes).toBeGreaterThan(0)
  })
  expect(() => watcher.emit('error', new Error('EPERM'))).not.toThrow()
})
