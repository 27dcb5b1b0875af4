import { expect, test } from 'vitest'
import type { Diagnostics } from '#domain/diagnostics/diagnostics.ts'
import { stateFacts } from '../../../../src-renderer/features/diagnostics/diagnostics-facts.ts'

test.each([
  [500, '0.5 s behind the service’s, ±0.6 s'],
  [-500, '0.5 s ahead of the service’s, ±0.6 s'],
])('a clock that the service’s is %i ms before is %s', (offsetMs, text) => {
  const report: Diagnostics = {
    at: 0,
    program: {
      version: '0.1.0',
      isDevelopment: false,
      electron: null,
      chrome: null,
      node: '24.0.0',
      platform: 'linux x64',
      isSandboxOff: false,
    },
    folders: { data: '/data', log: '/log' },
    keychain: { kind: 'available' },
    clock: { kind: 'checked', offsetMs, errorMs: 600, checkedAtMs: 0, isWrong: false },
    service: null,
    connections: {},
    logLines: [],
    text: '',
    pendingReset: null,
    failedReset: [],
  }
  expect(stateFacts(report).find(({ key }) => key === 'clock')?.value).toBe(text)
})
