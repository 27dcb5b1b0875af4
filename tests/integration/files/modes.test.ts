import { chmod, lstat, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLocalTree } from '#services/files/local-tree.ts'
import { openTransfers, startInstance } from './instance.ts'

test('security: nothing that is downloaded may be written to by others than the umask says', async () => {
  const { address, local, remote } = await startInstance()
  await mkdir(join(remote, 'open'))
  for (const [name, mode] of [
    ['all', 0o777],
    ['secret', 0o600],
  ] as const) {
    await writeFile(join(remote, 'open', name), name)
    await chmod(join(remote, 'open', name), mode)
  }
  await chmod(join(remote, 'open'), 0o777)
  const localTree = createLocalTree({
    ...{ homeFolder: local, platform: process.platform, umask: 0o027 },
    trash: (path) => rename(path, `${path}.trashed`),
  })
  const { run } = openTransfers({ local, address, localTree })
  const { phase } = await run({ direction: 'download', from: remote, names: ['open'], to: local })
  expect(phase).toEqual({ kind: 'done' })
  const modeOf = async (...names: readonly string[]) => (await lstat(join(local, ...names))).mode & 0o777
  expect(await modeOf('open')).toBe(0o750)
  expect(await modeOf('open', 'all')).toBe(0o750)
  expect(await modeOf('open', 'secret')).toBe(0o600)
})
