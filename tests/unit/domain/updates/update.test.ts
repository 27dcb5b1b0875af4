import { expect, test } from 'vitest'
import { installQuestion, totalAtWork, type AtWork } from '#domain/updates/update.ts'

const nothing: AtWork = {
  guards: 0,
  isTrying: false,
  autoRents: 0,
  jobs: 0,
  terminals: 0,
  forwards: 0,
  transfers: 0,
}

test('what an installation would end is that of all accounts together', () => {
  expect(totalAtWork([])).toEqual(nothing)
  const one: AtWork = {
    guards: 1,
    isTrying: false,
    autoRents: 0,
    jobs: 0,
    terminals: 2,
    forwards: 0,
    transfers: 4,
  }
  const other: AtWork = {
    guards: 1,
    isTrying: true,
    autoRents: 2,
    jobs: 3,
    terminals: 1,
    forwards: 3,
    transfers: 0,
  }
  expect(totalAtWork([one, nothing, other])).toEqual({
    guards: 2,
    isTrying: true,
    autoRents: 2,
    jobs: 3,
    terminals: 3,
    forwards: 3,
    transfers: 4,
  })
})

test('nothing is asked where nothing ends', () => {
  expect(installQuestion(totalAtWork([nothing, nothing]))).toBeNull()
  expect(installQuestion({ ...nothing, guards: 1 })?.detail).toBe(
    'Until Slipway runs again, this pauses: 1 guard.',
  )
})
