import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UUID } from 'builder-util-runtime'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { fillManifest, readChecksums, releaseValues } from '../../../tools/release/manifest.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'

const top = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(top, path), 'utf8')
const { repository, homepage, desktopName } = z
  .object({ repository: z.object({ url: z.string() }), homepage: z.string(), desktopName: z.string() })
  .parse(JSON.parse(read('package.json')))

const [windows, mac, linux] = ['1', '2', '3'].map((digit) => digit.repeat(64))
const sums = [
  `${windows}  Slipway-Setup-1.2.3.exe`,
  `${mac}  Slipway-1.2.3-universal.dmg`,
  `${linux}  slipway_1.2.3_amd64.deb`,
  `${'4'.repeat(64)}  Slipway-1.2.3.AppImage`,
  `${'5'.repeat(64)} *latest-mac.yml`,
]
const valuesOf = (lines = sums, version = '1.2.3') =>
  releaseValues({ version, repository: repository.url, checksums: readChecksums(`${lines.join('\n')}\n`) })
const made = (path: string, values = valuesOf()): string => fillManifest(read(`build/${path}`), values)
const downloads = 'https://github.com/slipway-app/slipway/releases/download/v1.2.3'

describe.each(['winget', 'homebrew', 'flathub'])('%s', (folder) => {
  test.each(readdirSync(join(top, 'build', folder)))('nothing is left open in %s', (name) => {
    expect(made(`${folder}/${name}`)).not.toMatch(/@[A-Z]/)
  })
})

test('winget gets the installer of a release, under the key that it registers', () => {
  const { appId } = z.object({ appId: z.string() }).parse(readYaml(read('build/electron-builder.yml')))
  // As NsisTarget of electron-builder makes it.
  const key = UUID.v5(appId, UUID.parse('50e065bc-3134-11e6-9bab-38c9862bdaf3'))
  expect(readYaml(made('winget/Slipway.Slipway.installer.yaml'))).toMatchObject({
    PackageVersion: '1.2.3',
    InstallerType: 'nullsoft',
    ProductCode: key,
    Installers: [
      {
        Architecture: 'x64',
        InstallerUrl: `${downloads}/Slipway-Setup-1.2.3.exe`,
        InstallerSha256: windows,
      },
    ],
  })
  expect(readYaml(made('winget/Slipway.Slipway.locale.en-US.yaml'))).toMatchObject({
    PackageUrl: homepage,
    ReleaseNotesUrl: 'https://github.com/slipway-app/slipway/releases/tag/v1.2.3',
  })
  for (const name of readdirSync(join(top, 'build/winget')))
    expect(readYaml(made(`winget/${name}`))).toMatchObject({
      PackageIdentifier: 'Slipway.Slipway',
      PackageVersion: '1.2.3',
      ManifestVersion: '1.10.0',
    })
})

test('Homebrew leaves updates to Slipway only if the release updates itself', () => {
  const cask = made('homebrew/slipway.rb')
  expect(cask).toContain(`sha256 "${mac}"`)
  expect(cask).toContain(`url "${downloads.replace('1.2.3', '#{version}')}/Slipway-#{version}-universal.dmg"`)
  expect(cask).toContain('\n  auto_updates true\n  depends_on')
  const withoutUpdates = made('homebrew/slipway.rb', valuesOf(sums.slice(0, -1)))
  expect(withoutUpdates).not.toContain('auto_updates')
  expect(withoutUpdates).toContain('end\n\n  depends_on')
})

test('Flathub gets the Debian package, under the name of the desktop file, and no more than is said', () => {
  const manifest = z
    .object({
      id: z.string(),
      'finish-args': z.array(z.string()),
      modules: z.tuple([z.object({ sources: z.array(z.looseObject({ type: z.string() })) })]),
    })
    .parse(readYaml(made('flathub/app.slipway.Slipway.yml')))
  expect(`${manifest.id}.desktop`).toBe(desktopName)
  expect(manifest.modules[0].sources[0]).toMatchObject({
    url: `${downloads}/slipway_1.2.3_amd64.deb`,
    sha256: linux,
  })
  // Neither the home folder nor any bus as a whole.
  expect(manifest['finish-args'].filter((one) => /filesystem|-bus|flatpak/i.test(one))).toEqual([])
  expect(manifest['finish-args']).toContain('--talk-name=org.freedesktop.secrets')
})

test.each([
  ['an installer is missing', sums.slice(1), '1.2.3', '.exe'],
  ['there are two of a kind', [...sums, `${'6'.repeat(64)}  Other-1.2.3.dmg`], '1.2.3', '.dmg'],
  ['they are of another version', sums, '1.2.4', '1.2.4'],
  ['it is a pre-release', sums, '1.2.4-beta.1', 'pre-release'],
])('no manifests are made when %s', (_, lines, version, complaint) => {
  expect(() => valuesOf(lines, version)).toThrow(complaint)
})

test('a word that stands for nothing is not left in a manifest', () => {
  expect(() => fillManifest('sha256: @OTHER@', valuesOf())).toThrow('@OTHER@')
})
