import { execFile } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longestPicture, longestText } from '#domain/files/opened-file.ts'
import { mayMountDisks, mountSmallDisk } from '../../../support/small-disk.ts'
import { startProxy } from '../../ssh/proxy.ts'
import { startHostileServer } from '../hostile-server.ts'
import { connectTo, startInstance } from '../instance.ts'
import { openedFiles } from './opened.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
function pngOf(width: number, height: number): Buffer {
  const picture = Buffer.from(png)
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  return picture
}

test('a file is what it holds, whatever its name', async () => {
  const { address, remote } = await startInstance()
  const { open } = openedFiles(connectTo(address), remote)
  const made: readonly [string, Buffer | string, object][] = [
    ['empty.txt', '', { kind: 'text', text: { text: '' } }],
    ['limit.txt', 'x'.repeat(longestText), { kind: 'text' }],
    ['long.txt', 'x'.repeat(longestText + 1), { kind: 'log', isTooLongToEdit: true }],
    ['nul.txt', 'a\0b', { kind: 'refused', why: 'binary' }],
    // Past what its first bytes tell.
    ['late-nul.txt', `${'a'.repeat(100_000)}\0`, { kind: 'refused', why: 'binary' }],
    ['latin.txt', Buffer.from('größe', 'latin1'), { kind: 'refused', why: 'not-utf8' }],
    ['page.png', '<!doctype html><script>alert(1)</script>', { kind: 'text' }],
    ['note.txt', png, { kind: 'picture', picture: { type: 'image/png', width: 1, height: 1 } }],
    ['wide.png', pngOf(0x7fffffff, 1), { kind: 'refused', why: 'large-picture' }],
    ['many.png', pngOf(10_000, 10_000), { kind: 'refused', why: 'large-picture' }],
    ['none.png', pngOf(0, 10), { kind: 'refused', why: 'broken-picture' }],
    [
      'heavy.png',
      Buffer.concat([png, Buffer.alloc(longestPicture)]),
      { kind: 'refused', why: 'large-picture' },
    ],
    ['cut.png', png.subarray(0, 20), { kind: 'refused', why: 'broken-picture' }],
  ]
  for (const [name, content, expected] of made) {
    await writeFile(join(remote, name), content)
    expect(await open(name), name).toMatchObject(expected)
  }
})

test('folders, pipes, and what is gone are told; no pipe is waited for', async () => {
  const { address, remote } = await startInstance()
  const { open } = openedFiles(connectTo(address), remote)
  await mkdir(join(remote, 'folder'))
  await symlink('folder', join(remote, 'to-folder'))
  await symlink('nowhere', join(remote, 'to-nowhere'))
  await promisify(execFile)('mkfifo', [join(remote, 'pipe')])
  expect(await open('folder')).toEqual({ kind: 'refused', why: 'folder' })
  expect(await open('to-folder')).toEqual({ kind: 'refused', why: 'folder' })
  expect(await open('pipe')).toEqual({ kind: 'refused', why: 'not-a-file' })
  expect(await open('to-nowhere')).toMatchObject({ kind: 'failed', problem: { kind: 'missing' } })
  expect(await open('gone')).toMatchObject({ kind: 'failed', problem: { kind: 'missing' } })
})

test('a name that is a path leads nowhere', async () => {
  const { address, remote } = await startInstance()
  const { open, save } = openedFiles(connectTo(address), join(remote, 'a'))
  for (const name of ['../secret', '..', 'a/b', 'x\ny']) {
    expect(await open(name)).toMatchObject({ kind: 'failed', problem: { kind: 'bad-name' } })
    expect(await save(name, 'x', null)).toMatchObject({ kind: 'failed', problem: { kind: 'bad-name' } })
  }
})

test('what the system makes up as it is read is read to its end', async () => {
  const { address } = await startInstance()
  const { open } = openedFiles(connectTo(address), '/proc')
  expect(await open('version')).toMatchObject({
    kind: 'text',
    text: { text: expect.stringMatching(/^Linux/) },
  })
})

test.runIf(mayMountDisks)('on a read-only disk a file is read-only', async () => {
  const { address, remote } = await startInstance()
  const disk = join(remote, 'disk')
  onTestFinished(await mountSmallDisk(disk, 1))
  await writeFile(join(disk, 'a.txt'), 'a')
  await promisify(execFile)('mount', ['-o', 'remount,ro', disk])
  const { openText } = openedFiles(connectTo(address), disk)
  expect(await openText('a.txt')).toMatchObject({ text: 'a', readOnly: 'read-only' })
})

test.runIf(process.getuid?.() !== 0)('a file that the user may only read is read-only', async () => {
  const { address, remote } = await startInstance()
  await writeFile(join(remote, 'a.txt'), 'a')
  await chmod(join(remote, 'a.txt'), 0o444)
  const { openText } = openedFiles(connectTo(address), remote)
  expect(await openText('a.txt')).toMatchObject({ readOnly: 'denied' })
})

describe('hostile: a server that', () => {
  const file = 0o100644
  const list = () => [{ name: 'a.txt', mode: file, size: 10 }]

  test('gives more bytes than it said is read up to the limit', async () => {
    const { address } = await startHostileServer({ list, content: Buffer.alloc(16 * longestText, 'x') })
    const proxy = await startProxy(address)
    const { open } = openedFiles(connectTo(proxy.address), '/')
    expect(await open('a.txt')).toMatchObject({ kind: 'log' })
    expect(proxy.passed()).toBeLessThan(2 * longestText)
  })

  test('says that a file is larger than any is read piece by piece', async () => {
    const { address } = await startHostileServer({
      list: () => [{ name: 'a.txt', mode: file, size: 2 ** 50 }],
      content: Buffer.from('x'),
    })
    const { open } = openedFiles(connectTo(address), '/')
    expect(await open('a.txt')).toMatchObject({ kind: 'log', isTooLongToEdit: true })
  })

  test.for(['handle', 'name', 'attrs', 'ok', 'failure'] as const)(
    'answers a read with %s is told of',
    async (odd) => {
      const { address } = await startHostileServer({ list, content: Buffer.from('x'), odd: { READ: odd } })
      const { open } = openedFiles(connectTo(address), '/')
      expect(await open('a.txt')).toMatchObject({ kind: 'failed', problem: { kind: 'failed' } })
    },
  )

  test('has nothing left open', async () => {
    const { address, openHandles } = await startHostileServer({ list, content: Buffer.from('text') })
    const { openText, save } = openedFiles(connectTo(address), '/')
    const { version } = await openText('a.txt')
    await save('a.txt', 'more', version)
    await expect.poll(openHandles).toBe(0)
  })
})
