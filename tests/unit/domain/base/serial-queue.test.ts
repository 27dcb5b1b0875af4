import { expect, test } from 'vitest'
import { SerialQueue } from '#domain/base/serial-queue.ts'

test('a task begins when the one before it has ended', async () => {
  const queue = new SerialQueue()
  const events: string[] = []
  const first = Promise.withResolvers<undefined>()
  const one = queue.take(async () => {
    events.push('first begins')
    await first.promise
    events.push('first ends')
  })
  const two = queue.take(async () => void events.push('second'))
  await Promise.resolve()
  first.resolve(undefined)
  await Promise.all([one, two])
  expect(events).toEqual(['first begins', 'first ends', 'second'])
})

test('a task that fails tells its own caller only', async () => {
  const queue = new SerialQueue()
  const failing = queue.take(() => Promise.reject(new Error('no')))
  const next = queue.take(() => Promise.resolve('still here'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('still here')
})
