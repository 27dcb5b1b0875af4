import { afterEach, expect, test } from 'vitest'
import { followFormatLocale } from '#domain/base/format-locale.ts'
import { sizeHint } from '../../../../src-renderer/shared/renting/size-hint.ts'

afterEach(() => {
  followFormatLocale(() => 'en-US')
})

test('a size is hinted at in the locale that is followed by then, not in that of the start', () => {
  followFormatLocale(() => 'de-DE')
  expect(sizeHint()).toContain('1.000.000 GB')
  followFormatLocale(() => 'en-US')
  expect(sizeHint()).toContain('1,000,000 GB')
})
