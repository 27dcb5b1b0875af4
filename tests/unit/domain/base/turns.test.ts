import { expect, test } from 'vitest'
import { Turns } from '#domain/base/turns.ts'

test('a task begins when the one before it has ended', async () => {
  const turns = new Turns()
  const events: string[] = []
  const first = Promise.withResolvers<undefined>()
  const one = turns.take(async () => {
    events.push('first begins')
    await first.promise
    events.push('first ends')
  })
  const two = turns.take(async () => void events.push('second'))
  await Promise.resolve()
  first.resolve(undefined)
  await Promise.all([one, two])
  expect(events).toEqual(['first begins', 'first ends', 'second'])
})

test('a task that fails tells its own caller only', async () => {
  const turns = new Turns()
  const failing = turns.take(() => Promise.reject(new Error('no')))
  const next = turns.take(() => Promise.resolve('still here'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('still here')
})
