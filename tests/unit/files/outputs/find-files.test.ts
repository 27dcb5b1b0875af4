import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileTree } from '#services/files/file-tree.ts'
import { createLocalTree } from '#services/files/local-tree.ts'
import { findFiles } from '#services/files/outputs/find-files.ts'
import { systemClock } from '../../../../src-main/app/system-clock.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const link = { kind: 'link' }

/** What patterns name in a folder with these files and links, where a link has what it leads to. */
async function find(
  patterns: readonly string[],
  there: Readonly<Record<string, string | null>>,
  whyUnusable?: FileTree['whyUnusable'],
) {
  const parent = await temporaryFolder()
  const tree = createLocalTree({
    ...{ homeFolder: parent, platform: 'linux', umask: 0o022 },
    trash: () => Promise.reject(new Error('nothing is removed')),
  })
  const folder = await tree.resolve(parent)
  await writeFile(join(folder, 'outside'), '')
  const top = join(folder, 'top')
  await mkdir(top)
  for (const [path, target] of Object.entries(there)) {
    await mkdir(dirname(join(top, path)), { recursive: true })
    await (target === null ? writeFile(join(top, path), path) : symlink(target, join(top, path)))
  }
  const { signal } = new AbortController()
  const { files, unmatched } = await findFiles({
    ...{
      tree,
      target: { whyUnusable: whyUnusable ?? tree.whyUnusable },
      folder: top,
      patterns,
      clock: systemClock,
      signal,
    },
  })
  const rows = files.map(({ path, fault }) => [path, fault] as const)
  return { found: Object.fromEntries(rows), unmatched }
}

test('a pattern that nothing is found by is told, however many others name something', async () => {
  const { found, unmatched } = await find(
    ['out/', '*.pt', 'gone.txt', 'out/deep/*.bin', 'model/**', '#1', 'nowhere/**/x'],
    {
      'out/a.pt': null,
      'out/deep/b.txt': null,
      'model/c/d': null,
      '#1': null,
    },
  )
  expect(found).toMatchObject({ 'out/a.pt': null, 'out/deep/b.txt': null, 'model/c/d': null, '#1': null })
  expect(unmatched).toEqual(['gone.txt', 'out/deep/*.bin', 'nowhere/**/x'])
})

test('a folder without a file in it is nothing that comes back', async () => {
  const { found, unmatched } = await find(['out/'], { 'other/x': null })
  expect({ found, unmatched }).toEqual({ found: {}, unmatched: ['out/'] })
})

test('links that are named, or that a pattern leads through, are told with why they can’t be copied', async () => {
  const { found, unmatched } = await find(['out', 'data/model.bin', 'cache/', 'runs/', 'a/*/c'], {
    out: '../outside',
    data: '..',
    cache: '../',
    'runs/last': '../../outside',
    'runs/dangling': 'nothing',
    'a/b': '..',
    unasked: '../outside',
  })
  expect(found).toEqual({
    ...{ out: link, data: link, cache: link },
    ...{ 'runs/last': link, 'runs/dangling': link },
  })
  expect(unmatched).toEqual(['a/*/c'])
})

test('a link to what comes back by its own name isn’t told: nothing is lost with it', async () => {
  const { found, unmatched } = await find(['runs/'], {
    'runs/1/log': null,
    'runs/latest': '1',
    'runs/log': 'latest/log',
    'runs/other': '../other',
    other: null,
  })
  expect(found).toEqual({ 'runs/1/log': null, 'runs/other': link })
  expect(unmatched).toEqual([])
})

test('a folder that can’t have its name here is told where a pattern may name something in it, and nowhere else', async () => {
  const there = { '04:23/a.pt': null, 'b/a.pt': null, 'c/04:23/x': null }
  const noColon = (name: string) => (name.includes(':') ? ('windows-characters' as const) : null)
  const fault = { kind: 'bad-name', fault: 'windows-characters' }
  expect(await find(['**/*.pt'], there, noColon)).toEqual({
    found: { '04:23': fault, 'b/a.pt': null, 'c/04:23': fault },
    unmatched: [],
  })
  expect(await find(['*/a.pt'], there, noColon)).toMatchObject({ found: { '04:23': fault, 'b/a.pt': null } })
  expect(await find(['b/'], there, noColon)).toEqual({ found: { 'b/a.pt': null }, unmatched: [] })
})
