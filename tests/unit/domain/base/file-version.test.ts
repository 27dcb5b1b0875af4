import { expect, test } from 'vitest'
import { upgraded, type VersionStep } from '#domain/base/file-version.ts'

test('a content goes through all the steps that its version lacks, in their order', () => {
  const steps = ['b', 'c', 'd'].map(
    (letter): VersionStep =>
      (content) =>
        `${String(content)}${letter}`,
  )
  expect([1, 2, 3, 4].map((version) => upgraded('a', version, steps))).toEqual(['abcd', 'acd', 'ad', 'a'])
})
