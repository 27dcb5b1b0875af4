import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startHostileServer } from '../hostile-server.ts'
import { makeFolder } from '../instance.ts'
import { openProjects } from './project.ts'

const file = 0o100644

async function start(options: Parameters<typeof startHostileServer>[0]) {
  const { address } = await startHostileServer(options)
  const local = await makeFolder()
  await mkdir(join(local, 'src'))
  for (const path of ['fine', 'src/a']) await writeFile(join(local, path), path)
  const { save, review } = await openProjects({ local, address })
  const { id } = await save({ remote: '/', removeGone: true })
  return review(id)
}

test('names that are paths, and names without end, neither add to a review nor take anything out of it', async () => {
  const names = ['../outside', '..', '', '/etc/cron.d/evil', 'src/a', 'x\0y', 'esc\u001b[2J', 'fine', 'fine']
  expect(await start({ list: () => names.map((name) => ({ name, mode: file })) })).toMatchObject({
    kind: 'reviewed',
    counts: { new: { files: 1 }, gone: { files: 0 }, conflict: { files: 1 } },
    named: [
      { kind: 'conflict', path: 'fine' },
      { kind: 'new', path: 'src/a' },
    ],
  })
})

test('a list for ever is stopped, and told', async () => {
  const page = Array.from({ length: 1_000 }, (_, index) => ({ name: `n${index}`, mode: file }))
  expect(await start({ list: () => page, endless: true })).toMatchObject({
    kind: 'failed',
    problem: { kind: 'too-many', side: 'remote' },
  })
})

test('a folder that is listed as a link is skipped with what is in it', async () => {
  const links = [{ name: 'src', mode: 0o120777 }]
  expect(await start({ list: () => links })).toMatchObject({
    kind: 'reviewed',
    counts: { new: { files: 1 } },
    skipped: 1,
  })
})
