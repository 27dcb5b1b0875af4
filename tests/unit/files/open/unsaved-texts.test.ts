import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'
import type { InstancesSnapshot } from '#domain/instances/instance.ts'
import { UnsavedTexts, unsavedTextsFile } from '#services/files/open/unsaved-texts.ts'
import { memoryFile } from '../../../support/memory-file.ts'
import { memoryLog } from '../../../support/memory-log.ts'

function start(file = memoryFile(unsavedTextsFile.fallback)) {
  const nothing: Pick<InstancesSnapshot, 'instances' | 'fetchedAt' | 'unreadable'> = {
    ...{ instances: null, fetchedAt: null, unreadable: [] },
  }
  const clock = { time: 0 }
  const snapshot = new Latest(nothing as InstancesSnapshot)
  const texts = new UnsavedTexts({ file, snapshot, now: () => (clock.time += 1), log: memoryLog() })
  return { file, texts, snapshot, clock }
}
const at = (name: string, instanceId = 1) => ({ instanceId, folder: '/root', name, mode: 0o644 })

test('what was typed last is there for the next run, the latest first, until it is discarded', async () => {
  const { file, texts } = start()
  await texts.keep({ ...at('a'), text: 'one', expected: 'v' }, null)
  await texts.keep({ ...at('b'), text: 'two', expected: null }, null)
  await texts.keep({ ...at('a'), text: 'three', expected: 'v' }, null)
  const { texts: next } = start(file)
  expect(next.latest.value.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(next.read(at('a'))).toMatchObject({ text: 'three', expected: 'v' })
  expect(next.read(at('a', 2))).toBeNull()
  // What another editor has kept meanwhile stays.
  await next.discard(at('a'), 'one')
  expect(next.read(at('a'))).toMatchObject({ text: 'three' })
  await next.discard(at('a'), 'three')
  expect(next.latest.value.map(({ name }) => name)).toEqual(['b'])
})

test('over a text that isn’t kept any more, nothing is', async () => {
  const { texts } = start()
  const own = { ...at('a'), text: 'mine', expected: 'v' }
  await texts.keep(own, null)
  await texts.keep({ ...own, text: 'another editor’s' }, null)
  expect(await texts.keep({ ...own, text: 'late' }, 'mine')).toBe(true)
  expect(texts.read(own)).toMatchObject({ text: 'another editor’s' })
  await texts.keep({ ...own, text: 'in time' }, 'another editor’s')
  expect(texts.read(own)).toMatchObject({ text: 'in time' })
  await texts.discard(own, null)
  await texts.keep({ ...own, text: 'late' }, 'in time')
  expect(texts.read(own)).toBeNull()
})

test('what is discarded while it is being written isn’t there again', async () => {
  const memory = memoryFile(unsavedTextsFile.fallback)
  const written = Promise.withResolvers<undefined>()
  // On a slow disk.
  const { texts } = start({
    ...memory,
    get value() {
      return memory.value
    },
    update: async (change) => {
      await written.promise
      return memory.update(change)
    },
  })
  const keeping = texts.keep({ ...at('a'), text: 'one', expected: null }, null)
  const discarding = texts.discard(at('a'), null)
  written.resolve(undefined)
  await Promise.all([keeping, discarding])
  expect(texts.latest.value).toEqual([])
})

test('what has no room isn’t kept, and what is kept stays', async () => {
  const { texts } = start()
  const text = 'x'.repeat(4_000_000)
  for (const name of ['a', 'b', 'c', 'd'])
    expect(await texts.keep({ ...at(name), text, expected: null }, null)).toBe(true)
  expect(await texts.keep({ ...at('e'), text, expected: null }, null)).toBe(false)
  expect(texts.latest.value).toHaveLength(4)
  expect(await texts.keep({ ...at('a'), text: 'short', expected: null }, null)).toBe(true)
})

test('texts of instances that are gone stay for 30 days after the last change, and longer by a list that isn’t whole', async () => {
  const { texts, snapshot, clock } = start()
  await texts.keep({ ...at('a', 1), text: 'one', expected: null }, null)
  await texts.keep({ ...at('b', 2), text: 'two', expected: null }, null)
  clock.time = 29 * 24 * 3_600_000
  await texts.keep({ ...at('c', 1), text: 'three', expected: null }, null)
  const end = new AbortController()
  const following = texts.follow(end.signal)
  const names = () => texts.latest.value.map(({ name }) => name)
  const listed = { instances: [{ id: 2 }], fetchedAt: 5, unreadable: [] }
  snapshot.set(listed as unknown as InstancesSnapshot)
  await new Promise(setImmediate)
  expect(names()).toEqual(['c', 'b', 'a'])
  clock.time = 31 * 24 * 3_600_000
  snapshot.set({ ...listed, unreadable: [{}] } as unknown as InstancesSnapshot)
  await new Promise(setImmediate)
  expect(names()).toEqual(['c', 'b', 'a'])
  snapshot.set({ ...listed } as unknown as InstancesSnapshot)
  await expect.poll(names).toEqual(['c', 'b'])
  end.abort()
  await following
})
