import { expect, test } from 'vitest'
import { notesOf } from '../../../tools/release/changelog.mjs'
import { signedReleaseFiles, signReleaseFile } from '../../../tools/release/release-file.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { updateOptions } from '../../../tools/release/update-options.mjs'
import { checkTag } from '../../../tools/release/version-tag.mjs'
import { isSigned, release } from '#services/updates/release.ts'
import { signingKey } from '../updates/signing.ts'

const key = signingKey()
const file = 'version: 1.2.4\nfiles:\n  - url: a.AppImage\n    sha512: abc\n    size: 1\npath: a.AppImage\n'
const url = 'https://updates.example/slipway/'

test('a release file is signed so that the app takes it, and signing twice changes nothing', () => {
  const signed = signReleaseFile('latest-linux.yml', file, key.privateKey)
  expect(signed.startsWith(file)).toBe(true)
  const read = release.parse(readYaml(signed))
  expect(isSigned(read, 'latest-linux.yml', key.publicKey)).toBe(true)
  expect(isSigned(read, 'latest.yml', key.publicKey)).toBe(false)
  expect(isSigned(read, 'latest-linux.yml', signingKey().publicKey)).toBe(false)
  expect(signReleaseFile('latest-linux.yml', signed, key.privateKey)).toBe(signed)
})

test('a release is signed for both channels: who gets pre-releases is offered it, too', () => {
  const files = signedReleaseFiles('latest-linux.yml', file, key.privateKey)
  expect(files.map(({ name }) => name)).toEqual(['latest-linux.yml', 'beta-linux.yml'])
  for (const { name, text } of files)
    expect(isSigned(release.parse(readYaml(text)), name, key.publicKey)).toBe(true)
})

test('a pre-release is signed for its own channel alone', () => {
  const beta = file.replace('1.2.4', '1.3.0-beta.1')
  const files = signedReleaseFiles('beta-mac.yml', beta, key.privateKey)
  expect(files.map(({ name }) => name)).toEqual(['beta-mac.yml'])
  expect(() => signedReleaseFiles('latest-mac.yml', beta, key.privateKey)).toThrow('latest-mac.yml')
})

test.each([
  ['v1.2.4', '1.2.4', null],
  ['v1.2.4-beta.1', '1.2.4-beta.1', null],
  ['v1.2.4', '1.2.5', 'package.json'],
  ['1.2.4', '1.2.4', 'package.json'],
  // Nothing that runs would ever be offered it.
  ['v1.2.4-rc.1', '1.2.4-rc.1', '1.2.4-beta.1'],
  ['v1.2.4-beta', '1.2.4-beta', '1.2.4-beta.1'],
])('the tag %s on version %s: %s', (tag, version, complaint) => {
  const said = checkTag(tag, version)
  if (complaint === null) expect(said).toBeNull()
  else expect(said).toContain(complaint)
})

test('the notes of a pre-release are its own, and not those of the release', () => {
  const changelog = '## [1.2.4] - 2026-01-02\n\n- All\n\n## [1.2.4-beta.1] - 2026-01-01\n\n- Early\n'
  expect(notesOf(changelog, '1.2.4-beta.1')).toBe('- Early')
  expect(notesOf(changelog, '1.2.4')).toBe('- All')
})

test('without a place for updates the build gets none', () => {
  expect(updateOptions({})).toEqual([])
})

test('with one it gets the address and the key', () => {
  const options = updateOptions({ SLIPWAY_UPDATE_URL: url, SLIPWAY_UPDATE_PUBLIC_KEY: key.publicKey })
  expect(options).toContain(`-c.publish.url=${url}`)
  expect(options).toContain(`-c.extraMetadata.updates.publicKey=${key.publicKey}`)
})

test.each([
  ['an address alone', { SLIPWAY_UPDATE_URL: url }],
  ['a key alone', { SLIPWAY_UPDATE_PUBLIC_KEY: key.publicKey }],
  ['plain http', { SLIPWAY_UPDATE_URL: 'http://updates.example', SLIPWAY_UPDATE_PUBLIC_KEY: key.publicKey }],
  ['the private key by mistake', { SLIPWAY_UPDATE_URL: url, SLIPWAY_UPDATE_PUBLIC_KEY: 'AAAA' }],
])('%s is refused', (_, env) => {
  expect(() => updateOptions(env)).toThrow('SLIPWAY_UPDATE')
})

test('the notes of a version are its own part of the changelog, and a version without one is not released', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n- New\n\n## [1.2.4] - 2026-01-01\n\n### Added\n\n- Old\n'
  expect(notesOf(changelog, '1.2.4')).toBe('### Added\n\n- Old')
  expect(() => notesOf(changelog, '9.9.9')).toThrow('no part')
})
