import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { linuxFiles } from '../../../build/linux-files.mjs'
import { releasesOf } from '../../../tools/release/changelog.mjs'
import { changelog, facts, manifest, top } from './linux-facts.ts'

// What validators say of both files: tests/integration/packaging/linux-files.test.ts.

test('released versions are those of the changelog with a date', () => {
  expect(releasesOf(changelog)).toEqual([
    { version: manifest.version, date: '2026-02-01' },
    { version: '0.0.9', date: '2026-01-01' },
  ])
  expect(releasesOf('## [Unreleased]\n\n## [1.0.0]\n')).toEqual([])
  expect(releasesOf('## [1.1.0-beta.2] - 2026-03-01\n')).toEqual([
    { version: '1.1.0-beta.2', date: '2026-03-01' },
  ])
})

describe('what software centers are told', () => {
  const { metainfo } = linuxFiles(facts)

  test('has the versions with their dates, and addresses of package.json', () => {
    expect(metainfo).toContain(`<release version="${manifest.version}" date="2026-02-01">`)
    expect(metainfo).toContain(`<url type="homepage">${manifest.homepage}</url>`)
    expect(metainfo).toContain(`<url type="bugtracker">${manifest.bugs}</url>`)
    expect(manifest.repository.url).toBe(
      `git+${/<url type="vcs-browser">(.*)<\/url>/.exec(metainfo)?.[1] ?? ''}.git`,
    )
  })

  test('tells pre-releases from releases', () => {
    const beta = linuxFiles({ ...facts, changelog: '## [1.1.0-beta.2] - 2026-03-01\n' })
    expect(beta.metainfo).toContain('<release version="1.1.0-beta.2" date="2026-03-01" type="development">')
    expect(metainfo).not.toContain('development')
  })

  test('shows pictures that there are, as the release has them', () => {
    const pictures = [...metainfo.matchAll(/<image>.*\/raw\/v([\d.]+)\/(.*)<\/image>/g)]
    expect(pictures.length).toBeGreaterThan(0)
    for (const [, version, path = ''] of pictures) {
      expect(version).toBe(manifest.version)
      expect(existsSync(join(top, path))).toBe(true)
    }
  })

  test('cannot be broken by a character of package.json', () => {
    const author = { ...manifest.author, name: 'Me & <you>' }
    const odd = linuxFiles({ ...facts, manifest: { ...manifest, author } })
    expect(odd.metainfo).toContain('<developer_name>Me &amp; &lt;you></developer_name>')
  })
})

test('the manual page is the same bytes each time, and says nothing but facts of package.json', () => {
  const { manual, compressedManual } = linuxFiles(facts)
  expect(gunzipSync(compressedManual).toString()).toBe(manual)
  expect(linuxFiles(facts).compressedManual.equals(compressedManual)).toBe(true)
  expect(manual).not.toMatch(/@\w+@/)
})

test('a fact that package.json lacks stops the packing, by its name', () => {
  const { homepage: _, ...without } = manifest
  expect(() => linuxFiles({ ...facts, manifest: without as typeof manifest })).toThrow('homepage')
})
