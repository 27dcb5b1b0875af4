import { appendFile, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import type { Connect } from '#services/files/session.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { startProxy } from '../../ssh/proxy.ts'
import { connectTo, startInstance } from '../instance.ts'
import { openCopies } from './copies.ts'

async function start(options: Partial<Parameters<typeof openCopies>[0]> = {}) {
  const instance = await startInstance()
  const folder = join(instance.remote, 'work')
  await mkdir(folder)
  const wish = { connect: connectTo(instance.address), account: instance.local, folder, ...options }
  return { ...instance, folder, wish, ...(await openCopies(wish)) }
}

/** What happens between the end of a read and what becomes of it; nothing until it's set. */
function meanwhile() {
  let next: (() => Promise<void>) | null = null
  return {
    afterRead: async (): Promise<void> => {
      const now = next
      next = null
      await now?.()
    },
    once: (does: () => Promise<void>): void => void (next = does),
  }
}

test('what the user saves while the newest is fetched is uploaded, and not replaced', async () => {
  const { afterRead, once } = meanwhile()
  const { folder, open, until, copies } = await start({ afterRead })
  const there = join(folder, 'a.txt')
  await writeFile(there, 'a\n')
  const { path, id } = await open('a.txt')
  once(() => appendFile(path, 'mine\n'))
  await open('a.txt')
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('a\nmine\n'))
  expect(await readFile(path, 'utf8')).toBe('a\nmine\n')

  // Between two steps of a save: the copy has no name for a moment.
  await until('same')
  await rename(path, `${path}~`)
  once(() => writeFile(path, 'by rename\n'))
  await open('a.txt')
  await waitFor(async () => expect(await readFile(there, 'utf8')).toBe('by rename\n'))

  // After both sides were shown, and before theirs is taken.
  await until('same')
  await writeFile(there, 'theirs\n')
  await writeFile(path, 'shown\n')
  await until('changed')
  expect((await copies.conflict(id))?.mine).toBe('shown\n')
  once(() => writeFile(path, 'not shown\n'))
  await copies.answer(id, { kind: 'keep-theirs' })
  expect(await readFile(path, 'utf8')).toBe('not shown\n')
  await waitFor(async () => expect((await copies.conflict(id))?.mine).toBe('not shown\n'))
  await copies.answer(id, { kind: 'keep-theirs' })
  await until('same')
  expect(await readFile(path, 'utf8')).toBe('theirs\n')
})

test('what a program saved beside the copy stays, and so does a copy that is being saved', async () => {
  const { folder, open, copies, left, close } = await start()
  await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => writeFile(join(folder, name), 'x\n')))
  const [a, b, c] = [await open('a.txt'), await open('b.txt'), await open('c.txt')]
  await writeFile(join(dirname(a.path), 'elsewhere.txt'), 'mine\n')
  expect(await copies.stop(a.id, false)).toEqual({ kind: 'others-stay', folder: dirname(a.path) })
  expect(await readdir(dirname(a.path))).toEqual(['elsewhere.txt'])
  await writeFile(join(dirname(b.path), 'elsewhere.txt'), 'mine\n')
  await rename(c.path, `${c.path}~`)
  await close()
  expect(await readdir(dirname(b.path))).toEqual(['elsewhere.txt'])
  expect(await readdir(dirname(c.path))).toEqual(['c.txt~'])
  expect(await left()).toHaveLength(3)
})

test('folders that nothing tells of are deleted after 30 days without a change', async () => {
  const { wish, close } = await start()
  await close()
  const [old, young] = ['old', 'young'].map((name) => join(wish.account, 'edited', name)) as [string, string]
  const before = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000)
  for (const folder of [old, young]) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'saved.txt'), 'x')
    await utimes(join(folder, 'saved.txt'), before, before)
  }
  await utimes(old, before, before)
  const next = await openCopies(wish)
  await waitFor(async () => expect(await next.left()).toEqual(['young']))
})

test('a copy whose folder is gone is made anew', async () => {
  const { folder, open, until } = await start()
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const { path } = await open('a.txt')
  await rm(dirname(path), { recursive: true })
  await until('missing')
  expect((await open('a.txt')).path).toBe(path)
  expect(await readFile(path, 'utf8')).toBe('a\n')
  await appendFile(path, 'b\n')
  await waitFor(async () => expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('a\nb\n'))
})

test('what was asked about is asked about again when it comes back', async () => {
  const { folder, open, until } = await start()
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const { path } = await open('a.txt')
  await writeFile(join(folder, 'a.txt'), 'theirs\n')
  const save = async (): Promise<void> => {
    await writeFile(path, 'mine\n')
    await until('changed')
  }
  await save()
  await writeFile(path, 'a\n')
  await until('same')
  await save()
  await rm(path)
  await until('missing')
  await save()
})

test('what couldn’t be removed is watched still', async () => {
  const { folder, open, copies, until, wish } = await start()
  const list = join(wish.account, 'edited-copies.json')
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const { path, id } = await open('a.txt')
  await rm(list)
  await mkdir(join(list, 'in-the-way'), { recursive: true })
  await expect(copies.stop(id, false)).rejects.toMatchObject({ problem: { kind: 'storage-failed' } })
  await until('missing')
  await rm(list, { recursive: true })
  expect((await open('a.txt')).path).toBe(path)
  await writeFile(path, 'mine\n')
  await waitFor(async () => expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('mine\n'))
  expect(await copies.stop(id, true)).toEqual({ kind: 'stopped' })
})

test('where the instance is gone, a copy stays for 30 days after it was saved', async () => {
  const { folder, open, until, close, wish } = await start()
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const { path } = await open('a.txt')
  await writeFile(join(folder, 'a.txt'), 'theirs\n')
  await writeFile(path, 'mine\n')
  await until('changed')
  await close()
  const list = join(wish.account, 'edited-copies.json')
  await writeFile(list, (await readFile(list, 'utf8')).replace(/"changedAt": \d+/, '"changedAt": 1'))

  const none = () => ({ instances: [], fetchedAt: Date.now(), unreadable: [], problem: null }) as never
  const snapshot = new Latest<InstancesSnapshot>(none())
  const next = await openCopies({ ...wish, isConnected: () => false, snapshot })
  await next.until('waiting')
  await next.close()
  expect(await readFile(path, 'utf8')).toBe('mine\n')
  const before = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000)
  await utimes(path, before, before)
  const last = await openCopies({ ...wish, isConnected: () => false, snapshot })
  await waitFor(() => expect(last.copies.latest.value).toEqual([]))
  expect(await last.left()).toEqual([])
})

test('a copy that can’t be looked at doesn’t stop the others', async () => {
  const { folder, open, until, close, wish } = await start()
  await Promise.all(['a.txt', 'b.txt'].map((name) => writeFile(join(folder, name), 'x\n')))
  const [a, b] = [await open('a.txt'), await open('b.txt')]
  for (const { path } of [a, b]) {
    await writeFile(join(folder, path.endsWith('a.txt') ? 'a.txt' : 'b.txt'), 'theirs\n')
    await writeFile(path, 'mine\n')
  }
  await until('changed')
  await close()
  await rm(dirname(a.path), { recursive: true })
  await writeFile(dirname(a.path), 'no folder')
  const next = await openCopies(wish)
  await next.until('changed')
  expect(next.copies.latest.value.map(({ state }) => state.kind)).toEqual(['failed', 'changed'])
  expect(await next.copies.stop(a.id, false)).toEqual({ kind: 'not-uploaded' })
})

test('an instance that doesn’t answer holds up neither another nor Stop', async () => {
  const stuck: Connect = (_, signal) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    )
  const instance = await startInstance()
  const folder = join(instance.remote, 'work')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const proxy = await startProxy(instance.address)
  const connect: Connect = (id, signal) => (id === 2 ? stuck : connectTo(proxy.address))(id, signal)
  const { copies, open, close, left } = await openCopies({ connect, account: instance.local, folder })
  const waits = copies.open({ instanceId: 2, folder, name: 'a.txt' })
  const ended = expect(waits).rejects.toMatchObject({ problem: { kind: 'ended' } })
  const { id } = await open('a.txt')
  proxy.fallSilent(0)
  const again = copies.open({ instanceId: 1, folder, name: 'a.txt' })
  await waitFor(() => expect(proxy.isSilent()).toBe(true))
  expect(await copies.stop(id, false)).toEqual({ kind: 'stopped' })
  expect(await again).toEqual({ kind: 'stopped' })
  await close()
  await ended
  expect(await left()).toEqual([])
})

test('a file that is being opened when Slipway ends leaves nothing, and starts nothing', async () => {
  const read = Promise.withResolvers<null>()
  const goOn = Promise.withResolvers<null>()
  const afterRead = async (): Promise<void> => {
    read.resolve(null)
    await goOn.promise
  }
  const { folder, copies, close, left, started, wish } = await start({ afterRead })
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const refused = expect(copies.open({ instanceId: 1, folder, name: 'a.txt' })).rejects.toMatchObject({
    problem: { kind: 'ended' },
  })
  await read.promise
  const closing = close()
  goOn.resolve(null)
  await closing
  await refused
  expect([await left(), started, copies.latest.value]).toEqual([[], [], []])
  const kept = await readFile(join(wish.account, 'edited-copies.json'), 'utf8').catch(() => 'none')
  expect(kept).toBe('none')
})

test('the user’s try doesn’t wait for the next try by itself', async () => {
  const tried: number[] = []
  const { folder, open, copies } = await start({ tryNow: (instanceId) => void tried.push(instanceId) })
  await writeFile(join(folder, 'a.txt'), 'a\n')
  const { id } = await open('a.txt')
  await copies.answer(id, { kind: 'try-again' })
  expect(tried).toEqual([1])
})
