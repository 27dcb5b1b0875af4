import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { widenWindow } from '#services/forwards/tunnels.ts'

const kib = 1024
const mib = 1024 * kib

/** What the server may have under way after so much has come, at 32 KiB a time. */
function windowAfter(bytes: number, roundTripMs: number, isRead = true): number {
  const channel = new PassThrough({ highWaterMark: 64 * mib })
  let granted = 2 * mib
  widenWindow(channel, { grant: (more) => (granted += more), roundTripMs: () => roundTripMs })
  if (!isRead) Object.defineProperty(channel, 'readableLength', { value: 1 })
  for (let come = 0; come < bytes; come += 32 * kib) channel.emit('data', Buffer.alloc(32 * kib))
  return granted - bytes
}

test('grows for a distant server whose bytes are taken at once, up to 16 MiB', () => {
  expect(windowAfter(8 * mib, 200)).toBe(10 * mib)
  expect(windowAfter(64 * mib, 200)).toBe(16 * mib)
})

test('stays for a server near by, and for one whose bytes are not taken', () => {
  expect(windowAfter(64 * mib, 1)).toBe(2 * mib)
  expect(windowAfter(64 * mib, 50, false)).toBe(2 * mib)
})
