import { expect, test } from 'vitest'
import type { RunPhase } from '#domain/runs/run.ts'
import { phaseMark, runBlock, runSummary } from '../../../../src-renderer/features/runs/run-text.ts'

const exited = { kind: 'exited', since: 0, until: 3_000, code: 0, signal: null } as const

test.each<[RunPhase, string, string]>([
  [{ kind: 'running', since: 0 }, 'busy', 'Running, 5 s'],
  [exited, 'good', 'Done in 3 s'],
  [{ ...exited, code: 3 }, 'bad', 'Exit code 3 after 3 s'],
  [{ ...exited, code: null, signal: 'SIGKILL' }, 'bad', 'Ended by SIGKILL after 3 s'],
  [{ ...exited, code: null }, 'warning', 'Ended after 3 s, without an exit code'],
  [{ kind: 'stopped', left: 'maybe-running' }, 'warning', 'Detached, may still be running'],
])('a command on one instance: %j', (phase, tone, label) => {
  expect(phaseMark(phase, { kind: 'idle' }, 5_000)).toMatchObject({ tone, label })
})

test('a run is summed up by what came of it', () => {
  const phases: RunPhase[] = [
    exited,
    { ...exited, code: 1 },
    { kind: 'connecting' },
    { kind: 'stopped', left: 'ended' },
    { kind: 'lost', problem: { kind: 'timeout' } },
  ]
  const places = phases.map((phase, instanceId) => ({ instanceId, phase }))
  expect(runSummary({ id: 'a', command: 'x', orderedAt: 0, places, notifies: false })).toBe(
    '1 of 5 done, 1 running, 2 failed, 1 stopped',
  )
})

test.each([
  [1, false, null],
  [0, false, 'Select at least 1 instance.'],
  [1, true, 'To run another command, wait for this one or stop it.'],
])('why no command can be run on %i instances (one is running: %j): %s', (chosen, isGoingOn, text) => {
  expect(runBlock(chosen, isGoingOn)).toBe(text)
})
