import { expect, test } from 'vitest'
import { countdownText, spokenText, toldStep } from '../../../../src-renderer/features/security/countdown.ts'

const words = { label: 'It expires in', over: 'it expired' }

test.each([
  [30 * 60_000, 'It expires in 30:00'],
  [10 * 60_000, 'It expires in 10:00'],
  [10 * 60_000 - 1, 'It expires in 10:00'],
  [9 * 60_000 + 59_000, 'It expires in 9:59'],
  [1001, 'It expires in 0:02'],
  [1000, 'It expires in 0:01'],
  [1, 'It expires in 0:01'],
  [0, 'it expired'],
  [-5000, 'it expired'],
])('%i ms are left: %s', (leftMs, text) => expect(countdownText(leftMs, words)).toBe(text))

test('it is told aloud in coarse steps only', () => {
  const steps = Array.from({ length: 15 * 60 + 1 }, (_, passed) => toldStep((15 * 60 - passed) * 1000))
  const told = steps.filter((step, index) => index > 0 && step !== steps[index - 1])
  expect(told).toEqual([600, 300, 120, 60, 30, 0])
  expect(told.map((step) => spokenText(step, words))).toEqual([
    expect.stringMatching(/^It expires in 10 min/),
    expect.stringMatching(/^It expires in 5 min/),
    expect.stringMatching(/^It expires in 2 min/),
    expect.stringMatching(/^It expires in /),
    expect.stringMatching(/^It expires in 30 s/),
    'it expired',
  ])
})
