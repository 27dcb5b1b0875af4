import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isInstallable,
  isNewer,
  isPrerelease,
  releaseFileFor,
  signedText,
} from '#services/updates/release.ts'

test.each([
  ['1.2.4', '1.2.3', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '1.99.99', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.2', '1.2.3', false],
  ['0.9.0', '1.0.0', false],
  // A pre-release comes before its release, and after the one before that.
  ['1.2.3', '1.2.3-beta.1', true],
  ['1.2.3-beta.1', '1.2.3', false],
  ['1.2.4-beta.1', '1.2.3', true],
  ['1.2.4-beta.10', '1.2.4-beta.9', true],
  ['1.2.4-beta.9', '1.2.4-beta.10', false],
  ['1.2.4-beta.1', '1.2.4-beta.1', false],
  ['1.2.3', '1.2.4-beta.1', false],
  ['1.2.4-beta.1+5', '1.2.3', false],
  // Other pre-releases aren't Slipway's: none is offered, and only a release follows one.
  ['1.2.4-rc.1', '1.2.3', false],
  ['1.2.4-beta', '1.2.3', false],
  ['1.2.4-beta.1', '1.2.4-alpha.1', false],
  ['1.2.4', '1.2.4-alpha.1', true],
  ['1.2', '1.1.0', false],
  ['v1.2.4', '1.2.3', false],
  ['', '1.2.3', false],
])('%j after %j: %j', (version, current, expected) => {
  expect(isNewer(version, current)).toBe(expected)
})

test('of two releases at most one is newer than the other', () => {
  const version = fc
    .tuple(fc.nat(3), fc.nat(30), fc.nat(3), fc.option(fc.nat(30)))
    .map(([major, minor, patch, beta]) => `${major}.${minor}.${patch}${beta === null ? '' : `-beta.${beta}`}`)
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
  const texts = [release, ...others].map((one) => signedText(one, 'latest.yml'))
  expect(new Set([...texts, signedText(release, 'latest-mac.yml')]).size).toBe(others.length + 2)
})

test.each([
  ['1.2.4', false],
  ['1.2.4-beta.1', true],
])('%s is a pre-release: %j', (version, expected) => {
  expect(isPrerelease(version)).toBe(expected)
})

test.each([
  ['linux', 'x64', 'latest', 'latest-linux.yml'],
  ['linux', 'arm64', 'latest', 'latest-linux-arm64.yml'],
  ['darwin', 'arm64', 'latest', 'latest-mac.yml'],
  ['win32', 'x64', 'latest', 'latest.yml'],
  ['linux', 'x64', 'beta', 'beta-linux.yml'],
  ['darwin', 'arm64', 'beta', 'beta-mac.yml'],
  ['win32', 'x64', 'beta', 'beta.yml'],
] as const)('%s on %s, channel %s: looks at %s', (platform, arch, channel, name) => {
  expect(releaseFileFor({ platform, arch }, channel)).toBe(name)
})

test.each([
  ['linux', 'x64', ['Slipway-1.2.4.AppImage'], true],
  ['linux', 'x64', ['Slipway Setup 1.2.4.exe'], false],
  ['linux', 'x64', ['Slipway-1.2.4-arm64.AppImage'], false],
  ['linux', 'x64', ['slipway_1.2.4_amd64.deb'], false],
  ['linux', 'arm64', ['Slipway-1.2.4-arm64.AppImage'], true],
  ['darwin', 'arm64', ['Slipway-1.2.4-universal-mac.zip', 'Slipway-1.2.4-universal.dmg'], true],
  ['darwin', 'arm64', ['Slipway-1.2.4-universal.dmg'], false],
  ['win32', 'x64', ['Slipway Setup 1.2.4.exe'], true],
  ['win32', 'arm64', ['Slipway-1.2.4-x64.exe', 'Slipway-1.2.4-arm64.exe'], true],
  ['win32', 'ia32', ['Slipway-1.2.4-x64.exe', 'Slipway-1.2.4-arm64.exe'], false],
  ['win32', 'x64', ['Slipway-1.2.4.exe.AppImage'], false],
])('on %s %s, %j can be installed: %j', (platform, arch, urls, expected) => {
  const files = urls.map((url) => ({ url, sha512: 'b' }))
  expect(isInstallable({ version: '1.2.4', files }, { platform, arch })).toBe(expected)
})
