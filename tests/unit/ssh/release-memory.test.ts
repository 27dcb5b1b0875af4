import { expect, test } from 'vitest'
import { releaseMemory } from '#services/ssh/release-memory.ts'

const kib = 1024

test('memory of a packet, or of what was read from a socket, is given back at once', () => {
  for (const [size, from] of [
    [32 * kib + 20, 10],
    [64 * kib, 0],
  ] as const) {
    const memory = Buffer.from(new ArrayBuffer(size))
    releaseMemory(memory.subarray(from, size - from))
    expect(memory.buffer.byteLength).toBe(0)
    expect(memory).toHaveLength(0)
  }
})

test('memory that others may have a part of stays', () => {
  const pooled = Buffer.from('short texts lie in one place')
  const memory = Buffer.alloc(256 * kib, 'x')
  const part = memory.subarray(0, 64 * kib)
  releaseMemory(pooled)
  releaseMemory(part)
  releaseMemory(memory.subarray(0, 8 * kib))
  expect(pooled.toString()).toBe('short texts lie in one place')
  expect(part.every((byte) => byte === 120)).toBe(true)
  expect(memory).toHaveLength(256 * kib)
})
