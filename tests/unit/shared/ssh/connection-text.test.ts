import { expect, test } from 'vitest'
import type { ConnectionFailure } from '#domain/ssh/ssh-connection.ts'
import { connectionFailureText } from '#shared/ssh/connection-text.ts'
import { transferProblemText } from '../../../../src-renderer/shared/files/transfer-text.ts'
import {
  forwardProblemText,
  stateText,
} from '../../../../src-renderer/features/instances/forwards/forward-text.ts'
import { phaseMark, phaseTrouble } from '../../../../src-renderer/features/runs/run-text.ts'
import { endText, stateMark } from '../../../../src-renderer/features/terminals/state-words.ts'

const address = { host: '198.51.100.7', port: 40_022 }
const changed: ConnectionFailure = {
  ...{ kind: 'host-key-changed', address, trusted: [], file: '/k', revoked: false },
  offered: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' },
}
const refused: ConnectionFailure = { kind: 'failed', problem: { kind: 'refused' }, address }

test.each([changed, refused])(
  '$kind is told in the same words wherever a connection is needed',
  (failure) => {
    const { title, meaning } = connectionFailureText(failure)
    expect(meaning).toContain('198.51.100.7:40022')
    expect(endText(failure)).toMatchObject({ title, meaning })
    expect(forwardProblemText({ kind: 'no-connection', failure })).toMatchObject({ title, meaning })
    expect(phaseTrouble({ kind: 'not-connected', failure })).toMatchObject({ title, meaning })
    const inFiles =
      failure.kind === 'failed'
        ? ({ kind: 'connection', problem: failure.problem } as const)
        : ({ kind: failure.kind, offered: failure.offered } as const)
    expect(transferProblemText(inFiles)).toMatch(new RegExp(`^${title}\\. `))
  },
)

test('a revoked key is no reason to compare keys', () => {
  expect(connectionFailureText(changed, 'select Reconnect').nextStep).toContain('select Reconnect to compare')
  expect(connectionFailureText({ ...changed, revoked: true }).nextStep).not.toContain('compare')
})

test('what a connection asks comes first, wherever something waits for it', () => {
  const offered = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' }
  const asked = { kind: 'unknown-host', address, offered } as const
  const label = 'Host key needs your answer'
  expect(stateMark(asked)).toMatchObject({ label })
  expect(phaseMark({ kind: 'connecting' }, asked, 0)).toMatchObject({ label })
  expect(stateText({ kind: 'connecting' }, asked)).toMatchObject({ label })
  expect(stateText({ kind: 'reconnecting' }, asked)).toMatchObject({ label })
  expect(stateText({ kind: 'reconnecting' }, { kind: 'idle' })).toMatchObject({ label: 'Reconnecting' })
  expect(stateText({ kind: 'open', refusal: null }, asked)).toMatchObject({ label: 'On' })
})
