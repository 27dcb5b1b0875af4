import { expect, test } from 'vitest'
import { activityText } from '../../../../src-renderer/features/instances/activity-text.ts'

test('what was seen is told in the words of the list', () => {
  expect(activityText({ kind: 'status', from: 'loading', to: 'offline' })).toMatchObject({
    tone: 'bad',
    text: 'Offline (before: Downloading the image)',
  })
  expect(activityText({ kind: 'status', from: 'running', to: 'frozen' })).toMatchObject({ tone: 'neutral' })
  expect(activityText({ kind: 'status', from: 'running', to: 'exited', isStopped: true })).toMatchObject({
    tone: 'neutral',
    text: 'Stopped (before: Running)',
  })
})

test('an end that nobody here asked for is marked', () => {
  expect(activityText({ kind: 'gone', asked: true }).tone).toBe('good')
  expect(activityText({ kind: 'gone', asked: false })).toMatchObject({
    tone: 'warning',
    text: expect.stringContaining('didn’t request it'),
  })
})

test('a failure says what failed and why', () => {
  const problem = { kind: 'service-failed', status: 502, message: '' } as const
  expect(activityText({ kind: 'unclear', action: 'destroy', problem }).text).toBe(
    'No clear answer to destroy: Service error',
  )
})
