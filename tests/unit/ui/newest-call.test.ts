import { expect, test } from 'vitest'
import { finishPendingSaves } from '#ui/pending-saves.ts'
import { newestCall } from '#ui/newest-call.ts'
import { settle } from '../../support/fake-clock.ts'

test('of a hundred values the first and the newest are told, one call at a time', async () => {
  const told: number[] = []
  const answers: (() => void)[] = []
  let value = 0
  const tell = newestCall(
    () =>
      new Promise((resolve) => {
        told.push(value)
        answers.push(resolve)
      }),
  )
  let isTold = false
  for (value = 1; value < 100; value += 1) void tell()
  void tell().then(() => (isTold = true))
  expect(told).toEqual([1])
  answers.shift()?.()
  await settle()
  expect(told).toEqual([1, 100])
  expect(isTold).toBe(false)
  answers.shift()?.()
  await settle()
  expect(isTold).toBe(true)

  value = 101
  void tell()
  expect(told).toEqual([1, 100, 101])
  answers.shift()?.()
  await settle()
})

test('before the end the newest is told, whatever is under way', async () => {
  let value = 'first'
  const kept: string[] = []
  const answers: (() => void)[] = []
  const tell = newestCall(async () => {
    const sent = value
    await new Promise<void>((resolve) => answers.push(resolve))
    kept.push(sent)
  })
  void tell()
  value = 'last'
  void tell()
  let isOver = false
  const over = finishPendingSaves().then(() => (isOver = true))
  answers.shift()?.()
  await settle()
  expect([kept, isOver]).toEqual([['first'], false])
  answers.shift()?.()
  await over
  expect(kept).toEqual(['first', 'last'])
})
