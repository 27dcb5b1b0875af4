import { expect, test } from 'vitest'
import {
  missingInstanceText,
  noInstancesText,
} from '../../../../src-renderer/features/instances/empty-text.ts'

test('only a list that is whole and of now says that nothing is charged', () => {
  for (const textOf of [noInstancesText, missingInstanceText]) {
    expect(textOf(true).text).toMatch(/you aren’t charged/i)
    expect(textOf(false).text).toContain('you may be charged')
  }
})
