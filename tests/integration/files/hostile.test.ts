import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startHostileServer } from './hostile-server.ts'
import { makeFolder, openTransfers, startInstance } from './instance.ts'

const file = 0o100644

describe('a server that lists', () => {
  test('names that are paths gets nothing written outside the folder, nor anything of them', async () => {
    const names = [
      '../outside',
      '..',
      '.',
      '',
      '/etc/cron.d/evil',
      'a/b',
      'x\0y',
      'esc\u001b[2J',
      'fine',
      'fine',
    ]
    const { address } = await startHostileServer({ list: () => names.map((name) => ({ name, mode: file })) })
    const root = await makeFolder()
    const local = join(root, 'inner')
    await mkdir(local)
    const { run } = openTransfers({ local, address })
    const { phase, skipped } = await run({ direction: 'download', from: '/', names: ['folder'], to: local })
    expect(phase).toEqual({ kind: 'done' })
    expect(await readdir(root, { recursive: true })).toEqual(['inner', 'inner/folder', 'inner/folder/fine'])
    expect(skipped).toEqual([
      { path: 'folder/../outside', reason: { kind: 'bad-name', fault: 'path' } },
      { path: 'folder/', reason: { kind: 'bad-name', fault: 'empty' } },
      { path: 'folder//etc/cron.d/evil', reason: { kind: 'bad-name', fault: 'path' } },
      { path: 'folder/a/b', reason: { kind: 'bad-name', fault: 'path' } },
      { path: 'folder/x\0y', reason: { kind: 'bad-name', fault: 'control-characters' } },
      { path: 'folder/esc\u001b[2J', reason: { kind: 'bad-name', fault: 'control-characters' } },
      { path: 'folder/fine', reason: { kind: 'same-name' } },
    ])
  })

  test('for ever is stopped', async () => {
    const page = Array.from({ length: 1_000 }, (_, index) => ({ name: `n${index}`, mode: file }))
    const { address } = await startHostileServer({ list: () => page, endless: true })
    const local = await makeFolder()
    const { run } = openTransfers({ local, address })
    expect(
      (await run({ direction: 'download', from: '/', names: ['folder'], to: local })).phase,
    ).toMatchObject({
      kind: 'failed',
      problem: { kind: 'too-many', side: 'remote' },
    })
  })

  test('folders in folders without an end is stopped', async () => {
    const { address } = await startHostileServer({ list: () => [{ name: 'again', mode: 0o040755 }] })
    const local = await makeFolder()
    const { run } = openTransfers({ local, address })
    expect(
      (await run({ direction: 'download', from: '/', names: ['folder'], to: local })).phase,
    ).toMatchObject({
      kind: 'failed',
      problem: { kind: 'too-many', side: 'remote' },
    })
    expect(await readdir(local)).toEqual([])
  })
})

test('a file that has less in it than its size says is no file here', async () => {
  const { address } = await startHostileServer({
    list: () => [{ name: 'short', mode: file, size: 10_000 }],
    content: Buffer.from('less'),
  })
  const local = await makeFolder()
  const { run } = openTransfers({ local, address })
  const { phase } = await run({ direction: 'download', from: '/', names: ['folder'], to: local })
  expect(phase).toMatchObject({ kind: 'failed', problem: { kind: 'shrunk', path: '/folder/short' } })
  expect(await readdir(local, { recursive: true })).toEqual(['folder'])
})

test.for([
  ['nonsense', Buffer.alloc(64 * 1024, 0x5a)],
  ['a packet of four gigabytes', Buffer.from('ffffffff02000000030000', 'hex')],
  ['a packet of nothing', Buffer.from('0000000000000000', 'hex')],
] as const)('a server that answers with %s is left', async ([, bytes]) => {
  const { address } = await startHostileServer({ garbage: bytes })
  const local = await makeFolder()
  const { run } = openTransfers({ local, address })
  const { phase } = await run({ direction: 'download', from: '/', names: ['x'], to: local })
  expect(phase).toEqual({ kind: 'failed', problem: { kind: 'no-files', why: 'garbled', detail: '' } })
})

test('a name that is no UTF-8 is left out and told', async () => {
  const { address, local, remote } = await startInstance()
  await mkdir(join(remote, 'folder'))
  const latin1 = Buffer.concat([Buffer.from(join(remote, 'folder', 'caf')), Buffer.from([0xe9])])
  await writeFile(latin1, 'x')
  await writeFile(join(remote, 'folder', 'café'), 'x')
  const { run } = openTransfers({ local, address })
  expect(await run({ direction: 'download', from: '.', names: ['folder'], to: local })).toMatchObject({
    phase: { kind: 'done' },
    skipped: [{ reason: { kind: 'bad-name', fault: 'not-utf8' } }],
  })
  expect(await readdir(join(local, 'folder'))).toEqual(['café'])
})
