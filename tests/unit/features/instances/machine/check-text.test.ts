import { describe, expect, test } from 'vitest'
import type { Comparison, MachineCheck } from '#domain/figures/machine-check.ts'
import {
  checkTone,
  differenceText,
  summaryText,
} from '../../../../../src-renderer/features/instances/machine/check-text.ts'

const cores: Comparison = { item: 'cores', offered: 8, found: 8, verdict: 'as-offered' }
const gpus: Comparison = { item: 'gpus', offered: 2, found: null, verdict: 'unknown' }

function check(gpuTool: MachineCheck['gpuTool'], ...comparisons: readonly Comparison[]): MachineCheck {
  return { at: 1, comparisons, gpuTool, diskFreeBytes: null }
}

describe('how a check stands', () => {
  test.each([
    ['all is there', check('works', cores), 'good', 'As offered'],
    ['some of it is unknown', check('works', cores, gpus), 'good', 'As offered, as far as Slipway can tell'],
    [
      'the GPU tool fails',
      check('fails', cores, gpus),
      'warning',
      'The GPU tool fails. Otherwise as offered, as far as Slipway can tell',
    ],
    [
      'the GPU tool fails, and there are fewer cores',
      check('fails', gpus, { ...cores, found: 4, verdict: 'differs' }),
      'warning',
      'The GPU tool fails. 1 difference from the offer',
    ],
    ['the GPU tool fails, and nothing is known', check('fails', gpus), 'warning', 'The GPU tool fails'],
    [
      'no GPU tool is there',
      check('missing', cores, gpus),
      'neutral',
      'As offered, as far as Slipway can tell',
    ],
    ['nothing is known', check('missing', gpus), 'neutral', 'Couldn’t be compared'],
  ])('%s', (_, one, tone, summary) => {
    expect(checkTone(one)).toBe(tone)
    expect(summaryText(one)).toBe(summary)
  })
})

test('a difference names the machine that will be blocked, where it’s known', () => {
  const differing = [{ ...cores, found: 4, verdict: 'differs' as const }]
  expect(differenceText(differing, 4711)).toMatchObject({
    meaning: 'Processors: 8 cores offered, 4 cores found. You’re charged the full price while it runs.',
    nextStep:
      'Keep it, or destroy it and find another. Once it’s destroyed, Slipway blocks machine 4711 in Offers.',
  })
  expect(differenceText(differing, null).nextStep).not.toMatch(/block/)
})
