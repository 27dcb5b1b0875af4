import { mkdir, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longestText } from '#domain/files/opened-file.ts'
import type { FileTree } from '#services/files/file-tree.ts'
import { openFile } from '#services/files/open/open-file.ts'
import { saveFile } from '#services/files/open/save-file.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../../ssh/proxy.ts'
import { connectTo, localTreeOf, makeFolder, startInstance } from '../instance.ts'
import { openedFiles } from './opened.ts'

async function start() {
  const { address, remote } = await startInstance()
  const folder = join(remote, 'work')
  await mkdir(folder)
  return { address, folder, ...openedFiles(connectTo(address), folder) }
}

test('a save leaves the part of another that is under way alone', async () => {
  const { address, folder } = await start()
  const proxy = await startProxy(address)
  const { openText, save } = openedFiles(connectTo(proxy.address), folder)
  for (const name of ['large', 'small']) await writeFile(join(folder, name), 'old')
  const [large, small] = [await openText('large'), await openText('small')]
  const text = 'x'.repeat(3_000_000)
  proxy.fallSilent(1_000_000)
  const saving = save('large', text, large.version)
  await waitFor(() => expect(proxy.isSilent()).toBe(true))
  expect(await readdir(folder)).toHaveLength(3)
  const smallSaving = save('small', 'new', small.version)
  proxy.goOn()
  expect(await smallSaving).toMatchObject({ kind: 'saved' })
  expect(await saving).toMatchObject({ kind: 'saved' })
  expect(await readFile(join(folder, 'large'), 'utf8')).toBe(text)
  expect((await readdir(folder)).toSorted()).toEqual(['large', 'small'])
})

test('of two saves of a file at once, the second finds what the first has written', async () => {
  const { folder, openText, save } = await start()
  await writeFile(join(folder, 'a.txt'), 'old')
  const { version } = await openText('a.txt')
  const outcomes = await Promise.all([save('a.txt', 'one', version), save('a.txt', 'two', version)])
  expect(outcomes).toMatchObject([{ kind: 'saved' }, { kind: 'changed', theirs: { text: 'one' } }])
  expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('one')
})

test('a write into the file that broke off is said to, and isn’t taken for somebody’s change', async () => {
  const { address, folder } = await start()
  const path = join(folder, 'big.txt')
  await writeFile(path, 'old\n')
  const proxy = await startProxy(address)
  let way = connectTo(proxy.address)
  const { openText, save } = openedFiles((...wish) => way(...wish), folder)
  const { version } = await openText('big.txt')
  const text = 'new line\n'.repeat(200_000)
  proxy.fallSilent(text.length / 2)
  const cut = waitFor(() => expect(proxy.isSilent()).toBe(true)).then(proxy.cut)
  expect(await save('big.txt', text, version, { inPlace: true })).toMatchObject({
    kind: 'failed',
    isIncomplete: true,
    left: null,
  })
  await cut
  way = connectTo(address)
  const asked = await save('big.txt', text, version)
  expect(asked).toMatchObject({ kind: 'changed', isIncomplete: true })
  const wreck = asked.kind === 'changed' ? asked.theirs.version : null
  const saved = await save('big.txt', text, wreck)
  expect(saved).toMatchObject({ kind: 'saved' })
  expect(await readFile(path, 'utf8')).toBe(text)
  await writeFile(path, 'theirs')
  expect(await save('big.txt', 'mine', wreck)).toMatchObject({ kind: 'changed', isIncomplete: false })
})

test('a file that is only touched meanwhile is saved; a folder or link in its place is left alone', async () => {
  const folder = await makeFolder()
  const path = join(folder, 'a.txt')
  const own = localTreeOf(folder)
  const order = {
    folder,
    name: 'a.txt',
    bytes: Buffer.from('new'),
    longest: longestText,
    mode: null,
    inPlace: false,
  }
  const saveWhile = async (change: () => Promise<unknown>) => {
    await writeFile(path, 'old')
    const openToWrite: FileTree['openToWrite'] = async (...how) => {
      await change()
      return own.openToWrite(...how)
    }
    const opened = await openFile(own, { folder, name: 'a.txt', asLog: false })
    const expected = opened.kind === 'text' ? opened.text.version : null
    return saveFile({ ...own, openToWrite }, { ...order, expected }, () => undefined)
  }
  expect(await saveWhile(() => utimes(path, 1, 1))).toMatchObject({ kind: 'saved' })
  const appeared = { problem: { kind: 'appeared', path } }
  const replacedBy = async (make: () => Promise<unknown>): Promise<void> => {
    await rm(path)
    await make()
  }
  await expect(saveWhile(() => replacedBy(() => mkdir(path)))).rejects.toMatchObject(appeared)
  await rm(path, { recursive: true })
  await expect(saveWhile(() => replacedBy(() => symlink('b', path)))).rejects.toMatchObject(appeared)
  expect(await readdir(folder)).toEqual(['a.txt'])
})
