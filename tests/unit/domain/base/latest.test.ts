import { expect, test } from 'vitest'
import { Latest } from '#domain/base/latest.ts'

test('a watcher gets the value at once, then only the newest', async () => {
  const latest = new Latest(1)
  const watcher = latest.watch()
  expect((await watcher.next()).value).toBe(1)
  latest.set(2)
  latest.set(3)
  expect((await watcher.next()).value).toBe(3)
  const waiting = watcher.next()
  latest.set(4)
  expect((await waiting).value).toBe(4)
})

test('a watcher ends with its signal, also while it waits', async () => {
  const latest = new Latest(1)
  const end = new AbortController()
  const watcher = latest.watch(end.signal)
  await watcher.next()
  const waiting = watcher.next()
  end.abort()
  expect((await waiting).done).toBe(true)
})
