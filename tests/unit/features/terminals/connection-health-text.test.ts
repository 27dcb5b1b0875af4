import { expect, it } from 'vitest'
import { connectionHealthText } from '../../../../src-renderer/features/terminals/connection-health-text.ts'

const open = {
  kind: 'open' as const,
  address: { host: '198.51.100.7', port: 40022 },
  user: 'root',
  latencyMs: 34.6,
  silentSince: null,
}

it('tells the latency once it was measured', () => {
  expect(connectionHealthText(open, 0)).toMatchObject({ label: '35 ms', isTrouble: false })
  expect(connectionHealthText({ ...open, latencyMs: 0 }, 0)?.label).toBe('under 1 ms')
  expect(connectionHealthText({ ...open, latencyMs: null }, 0)).toBeNull()
  expect(connectionHealthText({ kind: 'idle' }, 0)).toBeNull()
})

it('tells since when the machine is silent in its place', () => {
  expect(connectionHealthText({ ...open, silentSince: 10_000 }, 16_900)).toMatchObject({
    label: 'No response for 7 s',
    isTrouble: true,
  })
})

it('tells when a lost link is tried again, and how often it was', () => {
  const waiting = (nextTry: number) => ({
    kind: 'waiting' as const,
    problem: { kind: 'timeout' as const },
    address: null,
    retryAt: 10_000,
    nextTry,
  })
  expect(connectionHealthText(waiting(2), 7_200)?.label).toBe('in 3 s (2nd try)')
  expect([1, 3, 11, 23].map((next) => connectionHealthText(waiting(next), 12_000)?.label)).toEqual([
    'in 0 s (1st try)',
    'in 0 s (3rd try)',
    'in 0 s (11th try)',
    'in 0 s (23rd try)',
  ])
})
