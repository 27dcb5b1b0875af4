import { expect, test } from 'vitest'
import { readState } from '#services/jobs/on-instance/job-answer.ts'
import { executionOf } from '#services/jobs/on-instance/job-script.ts'

const order = { kind: 'start', jobId: 'job-1', folder: "it's", command: 'echo "é"' } as const

test('the command travels on the input, after the script and its length', () => {
  const { command, input } = executionOf(order, 'say hi\n')
  expect(command).not.toContain('echo "é"')
  expect(input).toBe('say hi\n\n# slipway: end of script\n9\necho "é"')
})

test('whichever the login shell is, it gets one word between two single quotes, and plain ones', () => {
  const { command } = executionOf(order, '')
  expect(command).toMatch(/^exec sh -c '[^']*' sh start job-1 'it'\\''s'$/)
})

test.each(['', '..', 'a/b', 'a b', "a'", '$(a)', 'a\n', 'a'.repeat(65)])('%j is no id of a job', (jobId) => {
  expect(() => executionOf({ kind: 'look', jobId }, '')).toThrow(RangeError)
})

const noAnswer = { kind: 'refused', why: 'no-answer' }
test.each([
  '',
  '{',
  'null',
  '{"kind":"running"}',
  '{"kind":"running","bytes":-1}',
  '{"kind":"running","bytes":1e300}',
  '{"kind":"exited","code":256,"isCanceled":false,"bytes":1}',
  '{"kind":"exited","code":1,"isCanceled":"no","bytes":1}',
  '{"kind":"lost","why":"bored","bytes":1}',
  '{"kind":"refused","why":"no-answer-either"}',
])('%s is no answer', (line) => {
  expect(readState(line)).toEqual(noAnswer)
})

test('of an answer, only what belongs to it is taken', () => {
  expect(readState('{"kind":"none","more":1}')).toEqual({ kind: 'none' })
  expect(readState('{"kind":"running","bytes":5}')).toEqual({ kind: 'running', bytes: 5 })
})
