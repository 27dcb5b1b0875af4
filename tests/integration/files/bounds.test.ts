import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { longestDetail, longestNamedPath, mostListedBytes, mostNamed } from '#services/files/limits.ts'
import { startHostileServer } from './hostile-server.ts'
import { connectTo, makeFolder, openFileBrowser, openTransfers } from './instance.ts'

const file = 0o100644
const kib = 1024
/** As long as ssh2 takes an answer. */
const huge = 'x'.repeat(250 * kib)
const top = { path: '/', step: null }

async function open(options: Parameters<typeof startHostileServer>[0]) {
  const { address } = await startHostileServer(options)
  const local = await makeFolder()
  const { run, transfers } = openTransfers({ local, address })
  const download = () => run({ direction: 'download', from: '/', names: ['folder'], to: local })
  return { browser: openFileBrowser(local, connectTo(address)), transfers, download, local }
}

describe('hostile: a server that', () => {
  test('lists names of 250 KB for ever is stopped after 32 MiB of them', async () => {
    let asked = 0
    const list = () => {
      asked += 1
      return [{ name: huge, mode: file }]
    }
    const { browser, download, local } = await open({ list, endless: true })
    const tooMany = { kind: 'failed', problem: { kind: 'too-many', side: 'remote' } }
    expect(await browser.listRemote(1, top)).toMatchObject(tooMany)
    const most = Math.ceil(mostListedBytes / huge.length)
    expect(asked).toBeLessThanOrEqual(most)
    expect((await download()).phase).toMatchObject(tooMany)
    expect(await readdir(local)).toEqual([])
  })

  test('answers without a name for ever is stopped', async () => {
    const { browser } = await open({ odd: { READDIR: 'no-names' } })
    expect(await browser.listRemote(1, top)).toMatchObject({ problem: { kind: 'too-many', path: '/' } })
  })

  test('lists names of 250 KB gets little of them shown, and nothing written', async () => {
    const list = () => [
      { name: huge, mode: file },
      { name: 'fine', mode: file },
    ]
    const { browser, download, local } = await open({ list })
    const listed = await browser.listRemote(1, top)
    expect(listed).toMatchObject({ kind: 'listed', omitted: 0 })
    expect(JSON.stringify(listed).length).toBeLessThan(kib)
    const { phase, skipped } = await download()
    expect(phase).toEqual({ kind: 'done' })
    expect(skipped).toEqual([
      { path: expect.stringMatching(/^folder\/x+$/), reason: { kind: 'bad-name', fault: 'too-long' } },
    ])
    expect(await readdir(local, { recursive: true })).toEqual(['folder', 'folder/fine'])
  })

  test('says much about an error is cut short', async () => {
    const { browser } = await open({ odd: { OPENDIR: 'failure' }, errorText: huge })
    const outcome = await browser.listRemote(1, top)
    expect(outcome).toMatchObject({ problem: { kind: 'failed', path: '/' } })
    expect(JSON.stringify(outcome).length).toBeLessThan(longestDetail + 200)
  })

  test('makes a path up that no system has is not followed', async () => {
    const { browser, download } = await open({ realPath: () => `/${huge}` })
    const told = {
      kind: 'failed',
      path: '/',
      detail: 'its file server answered with a path that no system has',
    }
    expect(await browser.listRemote(1, top)).toMatchObject({ kind: 'failed', problem: told })
    expect((await download()).phase).toMatchObject({ kind: 'failed', problem: told })
  })

  test('makes the page be told of few of a thousand long paths', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `${index}${'/'.repeat(200)}`)
    const deep = 'd'.repeat(200)
    let depth = 0
    const list = () => {
      depth += 1
      return depth < 20 ? [{ name: deep, mode: 0o040755 }] : names.map((name) => ({ name, mode: file }))
    }
    const { transfers, download } = await open({ list })
    const { skippedCount, skipped } = await download()
    expect(skippedCount).toBe(1_000)
    expect(skipped).toHaveLength(mostNamed)
    for (const { path } of skipped) expect(path.length).toBeLessThanOrEqual(longestNamedPath)
    expect(JSON.stringify(transfers.state.value).length).toBeLessThan(mostNamed * (longestNamedPath + 100))
  })

  test('lists folders in folders whose paths no system has is not followed all the way', async () => {
    const { download, local } = await open({ list: () => [{ name: 'd'.repeat(250), mode: 0o040755 }] })
    const { phase, skipped } = await download()
    expect(phase).toEqual({ kind: 'done' })
    expect(skipped).toEqual([{ path: expect.stringContaining('…'), reason: { kind: 'path-too-long' } }])
    expect((await readdir(local, { recursive: true })).length).toBeLessThan(20)
  })
})
