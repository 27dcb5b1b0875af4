import { expect, it } from 'vitest'
import type { Forward, ForwardState } from '#domain/forwards/forward.ts'
import type { Transfer, TransferPhase } from '#domain/files/transfer.ts'
import { forwardsText, transfersText } from '../../../../src-renderer/features/terminals/instance-work.ts'
import { placesFor } from '../../../support/files/transfer-places.ts'

function forward(state: ForwardState): Forward {
  return {
    id: 'a',
    instanceId: 7,
    plan: {
      kind: 'local',
      entrance: { port: 8080, reach: 'loopback' },
      to: { host: 'localhost', port: 8080 },
    },
    name: '',
    isJupyter: false,
    browserHost: null,
    state,
    traffic: { sentBytes: 0, receivedBytes: 0, connections: 0 },
  }
}
const on = forward({ kind: 'open', refusal: null })
const failed = forward({ kind: 'failed', problem: { kind: 'refused-there', port: 8080 } })

function transfer(phase: TransferPhase, bytesDone = 0, bytes = 0): Transfer {
  return {
    id: 'a',
    order: { ...placesFor('upload', 7), from: '/', names: ['x'], to: '/', honorGitignore: false },
    phase,
    progress: { files: 1, filesDone: 0, bytes, bytesDone, bytesPerSecond: null, remainingSeconds: null },
    skipped: [],
    skippedCount: 0,
    notifies: false,
  }
}

it('counts the forwards that are wanted, and says which have failed', () => {
  expect(forwardsText([])).toBeNull()
  expect(forwardsText([forward({ kind: 'stopped' })])).toBeNull()
  expect(forwardsText([on, forward({ kind: 'stopped' })])).toMatchObject({
    label: '1 port forward: port 8080',
    isTrouble: false,
  })
  expect(
    forwardsText([
      { ...on, name: 'Web UI' },
      { ...on, isJupyter: true },
    ]),
  ).toMatchObject({
    label: '2 port forwards',
    meaning: 'Show port forwards: Web UI, Jupyter',
  })
  expect(forwardsText([on, on, failed])).toMatchObject({
    label: '3 port forwards, 1 failed',
    isTrouble: true,
  })
  expect(forwardsText([failed])?.label).toBe('1 port forward, failed')
})

it('adds up the transfers that are under way', () => {
  expect(transfersText([transfer({ kind: 'done' }, 5, 5)])).toBeNull()
  expect(transfersText([transfer({ kind: 'looking', files: 3 })])?.label).toBe('Transfer')
  expect(transfersText([transfer({ kind: 'copying' }, 999, 1000)])?.label).toBe('Transfer: 99%')
  expect(
    transfersText([transfer({ kind: 'copying' }, 100, 1000), transfer({ kind: 'copying' }, 900, 1000)])
      ?.label,
  ).toBe('2 transfers: 50%')
})

it('says first that a transfer waits for its user', () => {
  const asking = transfer({ kind: 'asking', count: 1, paths: ['x'] })
  expect(transfersText([transfer({ kind: 'copying' }, 1, 10), asking])).toMatchObject({
    label: 'Transfer: needs your answer',
    isTrouble: true,
  })
})
