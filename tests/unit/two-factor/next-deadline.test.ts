import { beforeEach, expect, test } from 'vitest'
import { NextDeadline } from '#services/two-factor/next-deadline.ts'
import { FakeClock, settle } from '../../support/fake-clock.ts'

let clock: FakeClock
let reached: number[]
let deadline: NextDeadline
beforeEach(() => {
  clock = new FakeClock()
  reached = []
  const from = clock.now()
  deadline = new NextDeadline(clock, () => reached.push(clock.now() - from))
})

test('the first of the times is reached, once', async () => {
  deadline.set([clock.now() + 30_000, clock.now() + 10_000])
  await clock.advance(9_999)
  expect(reached).toEqual([])
  await clock.advance(60_000)
  expect(reached).toEqual([10_000])
})

test('times that are set take the place of those before', async () => {
  deadline.set([clock.now() + 10_000])
  deadline.set([clock.now() + 20_000])
  await clock.advance(60_000)
  expect(reached).toEqual([20_000])
  deadline.set([clock.now() + 10_000])
  deadline.set([])
  await clock.advance(60_000)
  expect(reached).toEqual([20_000])
})

test('one that has passed is reached at once', async () => {
  deadline.set([clock.now() - 5_000])
  await clock.advance(0)
  expect(reached).toEqual([0])
})

test('what is stopped reaches nothing', async () => {
  deadline.set([clock.now() + 10_000])
  deadline.stop()
  await clock.advance(60_000)
  await settle()
  expect(reached).toEqual([])
})
