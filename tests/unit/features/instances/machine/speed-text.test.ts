import { expect, test } from 'vitest'
import {
  canceledText,
  offeredText,
  outcomeText,
  trafficText,
} from '../../../../../src-renderer/features/instances/machine/speed-text.ts'

test.each([
  [{ inet_up_cost: 0.1, inet_down_cost: 0.1 }, 'You’re charged about $0.02 for its traffic.'],
  [{ inet_up_cost: 0.01, inet_down_cost: 0 }, 'You’re charged less than $0.01 for its traffic.'],
  [{ inet_up_cost: 0, inet_down_cost: 0 }, 'Its traffic isn’t charged.'],
  [{ inet_up_cost: 0.3 }, 'You’re charged at least $0.03 for its traffic: one way has no known price.'],
  [{ inet_up_cost: 0 }, 'The price of its traffic is unknown one way. The other way isn’t charged.'],
  [{}, 'The price of its traffic is unknown.'],
  [{ inet_up_cost: -1, inet_down_cost: 'free' }, 'The price of its traffic is unknown.'],
])('%o', (record, text) => expect(trafficText(record)).toBe(text))

test('speeds stand in the units that the service lists', () => {
  const measured = { kind: 'measured', bytesPerSecond: 125e6, bytes: 1, isCached: false } as const
  expect(outcomeText('disk', measured)).toBe('125 MB/s')
  expect(outcomeText('up', measured)).toBe('1,000 Mb/s')
  expect(offeredText('disk', { disk_bw: 1200.4 })).toBe('1,200 MB/s')
  expect(offeredText('down', { inet_up: 820, inet_down: 5 })).toBe('820 Mb/s')
  expect(offeredText('up', {})).toBe('–')
})

test('what a cancel leaves is said as it is', () => {
  expect(canceledText({ kind: 'canceled', isLeft: false })).toBe('Canceled. Nothing is left on the instance.')
  expect(canceledText({ kind: 'canceled', isLeft: true })).toMatch(/^Canceled\. What was written has no name/)
})
