import { expect, test } from 'vitest'
import { TransferSpeed } from '#services/files/transfer-speed.ts'

test('nothing is told before there is anything to compare', () => {
  const speed = new TransferSpeed()
  expect(speed.bytesPerSecond).toBeNull()
  speed.note(0, 0)
  expect(speed.bytesPerSecond).toBeNull()
  expect(speed.remainingSeconds(100)).toBeNull()
})

test('the speed is that of the last seconds, not of the whole time', () => {
  const speed = new TransferSpeed()
  for (let second = 0; second <= 20; second += 1) speed.note(second * 1_000, second * 100)
  for (let second = 21; second <= 40; second += 1) speed.note(second * 1_000, 2_000 + (second - 20) * 1_000)
  expect(speed.bytesPerSecond).toBe(1_000)
  expect(speed.remainingSeconds(5_000)).toBe(5)
})

test('a transfer that stands still has no end in sight', () => {
  const speed = new TransferSpeed()
  for (let second = 0; second <= 12; second += 1) speed.note(second * 1_000, Math.min(second, 3) * 100)
  expect(speed.bytesPerSecond).toBe(0)
  expect(speed.remainingSeconds(1)).toBeNull()
})
