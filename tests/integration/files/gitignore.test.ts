import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hastyClock } from '../../support/hasty-clock.ts'
import { openTransfers, startInstance } from './instance.ts'
import { placesFor } from '../../support/files/transfer-places.ts'

/** An upload of folders in folders, whose .gitignore takes hours for the inner ones; and one that is done meanwhile. */
async function uploadSlowly() {
  const { address, local, remote } = await startInstance()
  await mkdir(join(local, 'work', ...Array<string>(60).fill('a')), { recursive: true })
  const slowFile = join(local, 'work', '.gitignore')
  await writeFile(slowFile, `${'**/a/'.repeat(12)}c\n`)
  await writeFile(join(local, 'small'), 'small')
  const clock = hastyClock()
  const { transfers, over } = openTransfers({ local, address, clock })
  const order = { ...placesFor('upload'), from: local, to: '.', honorGitignore: true } as const
  const slow = transfers.start({ ...order, names: ['work'] })
  const small = transfers.start({ ...order, names: ['small'] })
  // Main does other things meanwhile.
  expect((await over(small.id)).phase).toEqual({ kind: 'done' })
  return { transfers, clock, remote, slowFile, slow: slow.id, over }
}

test('hostile: a .gitignore that would take hours holds nothing else up, and is named', async () => {
  const { clock, over, remote, slow, slowFile } = await uploadSlowly()
  clock.hurry()
  expect((await over(slow)).phase).toEqual({
    kind: 'failed',
    problem: { kind: 'slow-gitignore', path: slowFile },
  })
  expect(await readdir(remote)).not.toContain('work')
})

test('a .gitignore that would take hours does not hold a cancel', async () => {
  const { transfers, over, slow } = await uploadSlowly()
  transfers.cancel(slow)
  expect((await over(slow)).phase).toEqual({ kind: 'cancelled' })
})

test('a folder that was chosen arrives though .gitignore files name it, without what their other lines name', async () => {
  const { address, local, remote } = await startInstance()
  await mkdir(join(local, '.git'))
  await mkdir(join(local, 'work', 'data'), { recursive: true })
  await writeFile(join(local, '.gitignore'), 'data/\n*.log\n')
  await writeFile(join(local, 'work', '.gitignore'), '/data/\n*.tmp\n')
  for (const name of ['a', 'b.log', 'c.tmp']) await writeFile(join(local, 'work', 'data', name), name)
  const { transfers, over } = openTransfers({ local, address })
  const { id } = transfers.start({
    ...{ ...placesFor('upload'), to: '.', honorGitignore: true },
    ...{ from: join(local, 'work'), names: ['data'] },
  })
  expect((await over(id)).phase).toEqual({ kind: 'done' })
  expect(await readdir(join(remote, 'data'))).toEqual(['a'])
})
