import { expect, test } from 'vitest'
import { countdownText, spokenText, toldStep } from '../../../../src-renderer/features/security/countdown.ts'

const words = { label: 'It is good for', over: 'It has expired' }

test.each([
  [30 * 60_000, 'It is good for 30:00'],
  [10 * 60_000, 'It is good for 10:00'],
  [10 * 60_000 - 1, 'It is good for 10:00'],
  [9 * 60_000 + 59_000, 'It is good for 9:59'],
  [1001, 'It is good for 0:02'],
  [1000, 'It is good for 0:01'],
  [1, 'It is good for 0:01'],
  [0, 'It has expired'],
  [-5000, 'It has expired'],
])('%i ms are left: %s', (leftMs, text) => expect(countdownText(leftMs, words)).toBe(text))

test('it is told aloud in coarse steps only', () => {
  const steps = Array.from({ length: 15 * 60 + 1 }, (_, passed) => toldStep((15 * 60 - passed) * 1000))
  const told = steps.filter((step, index) => index > 0 && step !== steps[index - 1])
  expect(told).toEqual([600, 300, 120, 60, 30, 0])
  expect(told.map((step) => spokenText(step, words))).toEqual([
    expect.stringMatching(/^It is good for 10 min/),
    expect.stringMatching(/^It is good for 5 min/),
    expect.stringMatching(/^It is good for 2 min/),
    expect.stringMatching(/^It is good for /),
    expect.stringMatching(/^It is good for 30 s/),
    'It has expired',
  ])
})
