import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { mayMountDisks, mountSmallDisk } from '../../support/small-disk.ts'
import { startHostileServer } from './hostile-server.ts'
import { makeFolder, openTransfers, startWithFile } from './instance.ts'

test.runIf(mayMountDisks).for(['local', 'remote'] as const)(
  'a read-only disk is said to be one, with the name of the file that was to be written (%s)',
  async (side) => {
    const { address, local, order } = await startWithFile(side === 'local' ? 'remote' : 'local', 1024)
    const disk = join(await makeFolder(), 'disk')
    onTestFinished(await mountSmallDisk(disk, 4))
    await promisify(execFile)('mount', ['-o', 'remount,ro', disk])
    const { transfers, over } = openTransfers({ local, address })
    const { phase } = await over(transfers.start({ ...order, to: disk }).id)
    expect(phase).toEqual({
      kind: 'failed',
      problem: { kind: 'read-only', side, path: join(disk, 'big') },
    })
  },
)

test('a folder where nothing may be written: the file that was to be is named', async () => {
  const { address } = await startHostileServer({ list: () => [], odd: { OPEN: 'denied' } })
  const local = await makeFolder()
  await writeFile(join(local, 'mine.txt'), 'mine')
  const { run } = openTransfers({ local, address })
  const { phase } = await run({ direction: 'upload', from: local, names: ['mine.txt'], to: '/there' })
  expect(phase).toEqual({
    kind: 'failed',
    problem: { kind: 'denied', side: 'remote', path: '/there/mine.txt' },
  })
})
