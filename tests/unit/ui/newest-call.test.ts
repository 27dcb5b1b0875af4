import { expect, test } from 'vitest'
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
})
