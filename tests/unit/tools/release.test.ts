import { expect, test } from 'vitest'
import { notesOf } from '../../../tools/release/changelog.mjs'
import { signReleaseFile } from '../../../tools/release/release-file.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { updateOptions } from '../../../tools/release/update-options.mjs'
import { isSigned } from '../../../src-main/updates/signature.ts'
import { release } from '../../../src-main/domain/release.ts'
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
