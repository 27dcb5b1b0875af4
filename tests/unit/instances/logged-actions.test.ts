import { expect, test } from 'vitest'
import type { ActivityEvent } from '#domain/instances/activity.ts'
import { ProblemError, type Problem } from '#domain/base/problem.ts'
import { logActions } from '#services/instances/logged-actions.ts'

const refusal: Problem = { kind: 'not-allowed', code: '', message: 'scope' }

function recorded(stop: () => Promise<void>, failure: Problem | null = null) {
  const noted: ActivityEvent[] = []
  const pending = { action: 'stop', since: 0, lists: 0, failure } as const
  const actions = logActions(
    { stop, destroy: () => Promise.resolve() },
    {
      by: 'caretaker',
      activity: { note: async (_, event) => void noted.push(event) },
      watch: {
        find: (id) => ({ id, status: 'running', record: { id }, history: [], pending }),
      },
    },
  )
  return { actions, noted }
}

test('an action is written down before it is sent', async () => {
  const { actions, noted } = recorded(async () => {
    expect(noted).toEqual([{ kind: 'asked', action: 'stop', by: 'caretaker' }])
  })
  await actions.stop(7)
  expect(noted).toHaveLength(1)
})

test('what the service refuses is written down, and still thrown', async () => {
  const { actions, noted } = recorded(() => Promise.reject(new ProblemError(refusal)))
  await expect(actions.stop(7)).rejects.toMatchObject({ problem: refusal })
  expect(noted.at(-1)).toEqual({ kind: 'refused', action: 'stop', problem: refusal })
})

test('a lost reply is written down as such', async () => {
  const lost: Problem = { kind: 'unreachable', cause: 'reset', origin: '' }
  const { actions, noted } = recorded(() => Promise.resolve(), lost)
  await actions.stop(7)
  expect(noted.at(-1)).toEqual({ kind: 'unclear', action: 'stop', problem: lost })
})
