import { expect, test } from 'vitest'
import type { JobEnd } from '#domain/jobs/job-definition.ts'
import { definitionText, endText } from '../../../../src-renderer/features/jobs/job-form-text.ts'

const found = (then: JobEnd) => definitionText({ kind: 'read', unknown: [], definition: { then } })

test('a file that asks for the instance to be stopped or destroyed is seen to', () => {
  expect(found('destroy')).toMatchObject({
    tone: 'warning',
    text: expect.stringContaining('asks Slipway to destroy the instance') as string,
  })
  expect(found('stop').text).toContain('asks Slipway to stop the instance')
  expect(found('keep')).toMatchObject({ tone: 'good', text: expect.not.stringContaining('asks') as string })
})

test('an end says what it costs, as a limit where an instance is yet to be rented', () => {
  const rates = { runUsd: 0.5, diskUsd: 0.02, isLimit: false }
  expect(endText('keep', rates)).toContain('charged $0.50/h')
  expect(endText('keep', { ...rates, isLimit: true })).toContain('charged up to $0.50/h')
  expect(endText('stop', rates)).toContain('$0.02/h for its disk')
  expect(endText('stop', { ...rates, diskUsd: null })).toContain('price unknown')
  expect(endText('destroy', rates)).toContain('all charges end')
})
