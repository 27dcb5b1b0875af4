import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNewer, signedText } from '../../../src-main/domain/release.ts'

test.each([
  ['1.2.4', '1.2.3', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.2', '1.2.3', false],
  ['0.9.0', '1.0.0', false],
  // A pre-release gives way to its release, and none is ever offered.
  ['1.2.3', '1.2.3-beta.1', true],
  ['1.2.4-beta.1', '1.2.3', false],
  ['1.2', '1.1.0', false],
  ['v1.2.4', '1.2.3', false],
  ['', '1.2.3', false],
])('%j after %j: %j', (version, current, expected) => {
  expect(isNewer(version, current)).toBe(expected)
})

test('of two releases at most one is newer than the other', () => {
  const version = fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(version, version, (one, other) => {
      expect([isNewer(one, other), isNewer(other, one)].filter(Boolean)).toHaveLength(one === other ? 0 : 1)
    }),
  )
})

test('whatever decides what is installed or shown changes what is signed', () => {
  const release = { version: '1.2.4', files: [{ url: 'a', sha512: 'b' }], releaseNotes: 'c' }
  const others = [
    { ...release, version: '1.2.5' },
    { ...release, files: [{ url: 'x', sha512: 'b' }] },
    { ...release, files: [{ url: 'a', sha512: 'x' }] },
    { ...release, files: [...release.files, ...release.files] },
    { ...release, releaseNotes: 'x' },
    { ...release, releaseNotes: null },
  ]
  expect(new Set([release, ...others].map(signedText)).size).toBe(others.length + 1)
})
