import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { Arch, build, Platform } from 'electron-builder'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { isPrerelease, releaseFileFor, type UpdateChannel } from '#services/updates/release.ts'
import { updateOptions } from '../../../tools/release/update-options.mjs'
import { readYaml } from '../../../tools/release/yaml.mjs'
import { signingKey } from '../../unit/updates/signing.ts'
import { makeInstallerTools } from './installer-tools.ts'
import { runElectronBuilder } from './pack.ts'

// What electron-builder makes of package.json and electron-builder.yml for each kind of installer, with stand-ins for
// the tools that it downloads. What is checked with is the real thing: dpkg-deb, desktop-file-validate, appstreamcli.

const run = promisify(execFile)
const top = join(import.meta.dirname, '..', '..', '..')
const manifest = z
  .object({
    version: z.string(),
    description: z.string(),
    homepage: z.url(),
    author: z.object({ name: z.string(), email: z.email() }),
  })
  .parse(JSON.parse(await readFile(join(top, 'package.json'), 'utf8')))
const { version } = manifest
/** A pre-release comes before its release for both of Linux's kinds of packages. */
const packageVersion = version.replace('-', '~')
const channel: UpdateChannel = isPrerelease(version) ? 'beta' : 'latest'
const maintainer = `${manifest.author.name} <${manifest.author.email}>`
const metainfoPath = 'usr/share/metainfo/app.slipway.Slipway.metainfo.xml'
const desktopFile = 'app.slipway.Slipway.desktop'

/** What no host of releases changes in a file's name. */
const portable = /^[A-Za-z0-9._+-]+$/

/** What fpm was given (fpm-stand-in.mjs). */
const fpmCall = z.object({
  options: z.record(z.string(), z.array(z.string())),
  mappings: z.array(z.tuple([z.string(), z.string()])),
})

let folder: string
let tools: Readonly<Record<string, string>>
/** Of Linux's installers. */
let output: string
let deb: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-installers-'))
  tools = await makeInstallerTools(join(folder, 'tools'))
  const updates = updateOptions({
    SLIPWAY_UPDATE_URL: 'https://updates.example/slipway/',
    SLIPWAY_UPDATE_PUBLIC_KEY: signingKey().publicKey,
  })
  output = await runElectronBuilder(folder, ['--linux', 'AppImage', 'deb', 'rpm', ...updates], tools)
  deb = join(output, (await readdir(output)).find((name) => name.endsWith('.deb')) ?? 'no deb')
}, 300_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the deb', () => {
  test('says whose it is, what it is, and what it needs', async () => {
    const { stdout } = await run('dpkg-deb', ['--field', deb])
    expect(stdout).toContain(`Package: slipway\nVersion: ${packageVersion}\n`)
    expect(stdout).toContain(`Maintainer: ${maintainer}\n`)
    expect(stdout).toContain(`Homepage: ${manifest.homepage}\n`)
    expect(stdout).toContain('Section: devel\n')
    expect(stdout).toMatch(/^Depends: libgtk-3-0, .*libsecret-1-0, libasound2, libgbm1$/m)
    expect(stdout).toContain(`Description: Rent GPU machines, and work on them\n ${manifest.description}\n`)
  })

  test('puts the app into /opt, and what the system reads into the system’s folders', async () => {
    const { stdout } = await run('dpkg-deb', ['--contents', deb])
    const paths = stdout
      .split('\n')
      .filter((line) => line.startsWith('-'))
      .map((line) => line.replace(/^.* \.\//, ''))
    for (const path of [
      'opt/Slipway/slipway',
      'opt/Slipway/resources/app.asar',
      `usr/share/applications/${desktopFile}`,
      metainfoPath,
      'usr/share/man/man1/slipway.1.gz',
      'usr/share/doc/slipway/copyright',
      'usr/share/icons/hicolor/256x256/apps/slipway.png',
    ])
      expect(paths).toContain(path)
    expect(paths.filter((path) => path.startsWith('opt/Slipway/usr/'))).toEqual([])
  })

  test('has a desktop file and a description for software centers that their validators take', async () => {
    const root = join(folder, 'deb')
    await run('dpkg-deb', ['--extract', deb, root])
    const entry = join(root, 'usr/share/applications', desktopFile)
    await run('desktop-file-validate', [entry])
    const text = await readFile(entry, 'utf8')
    expect(text).toContain('\nExec=/opt/Slipway/slipway %U\n')
    expect(text).toContain('\nCategories=Development;\n')
    expect(text).toContain('\nMimeType=x-scheme-handler/slipway;\n')
    // Whether both fit each other: the id, the icon, the name.
    const { stdout } = await run('appstreamcli', ['validate-tree', '--no-net', root])
    expect(stdout).toContain('Validation was successful')
  })
})

test('the rpm says the same, and needs the same by its own names', async () => {
  const file = `slipway-${version}.${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.rpm`
  const { options, mappings } = fpmCall.parse(
    JSON.parse(await readFile(join(output, `${file}.json`), 'utf8')),
  )
  expect(options).toMatchObject({
    name: ['slipway'],
    version: [packageVersion],
    maintainer: [maintainer],
    vendor: [maintainer],
    url: [manifest.homepage],
    license: ['MIT'],
    'rpm-summary': ['Rent GPU machines, and work on them'],
    description: [manifest.description],
    category: ['Development/Tools'],
    // All of them: tests/unit/tools/package-depends.test.ts.
    d: expect.arrayContaining(['gtk3', 'nss', '(libsecret or libsecret-1-0)']),
  })
  const targets = mappings.map(([, to]) => to)
  expect(targets).toContain(`/${metainfoPath}`)
  expect(targets).toContain('/usr/share/man/man1/slipway.1.gz')
  expect(targets).toContain('/usr/share/licenses/slipway/LICENSE')
})

describe('the AppImage', () => {
  const name = `Slipway-${version}${process.arch === 'arm64' ? '-arm64' : ''}.AppImage`

  test('starts Slipway with its sandbox, unless the system has no room for one', async () => {
    const appDir = join(output, `${name}.folder`)
    const entry = join(appDir, desktopFile)
    await run('desktop-file-validate', [entry])
    expect(await readFile(entry, 'utf8')).toContain('\nExec=AppRun %U\n')
    const start = await readFile(join(appDir, 'AppRun'), 'utf8')
    // Its only such option: the window warns of it (tests/e2e/desktop/switches.spec.ts).
    expect(start.match(/^.*\(--no-sandbox\)$/gm)).toEqual(['  NO_SANDBOX=(--no-sandbox)'])
    expect(start).toContain('! unshare -Ur true 2>/dev/null ; then\n  NO_SANDBOX=')
  })

  test('has the description for software centers', async () => {
    const appDir = join(output, `${name}.folder`)
    await run('appstreamcli', ['validate', '--no-net', join(appDir, metainfoPath)])
  })
})

test('installers for Linux are called alike on the disk, in the update’s file and wherever releases lie', async () => {
  const names = (await readdir(output)).filter((name) => /\.(AppImage|deb|rpm)$/.test(name))
  expect(names).toHaveLength(3)
  for (const name of names) expect(name).toMatch(portable)
  const releaseFile = releaseFileFor({ platform: 'linux', arch: process.arch }, channel)
  const { files } = z
    .object({ files: z.array(z.object({ url: z.string() })) })
    .parse(readYaml(await readFile(join(output, releaseFile), 'utf8')))
  expect(files.map(({ url }) => url).sort()).toEqual(names.sort())
})

test('the installer for Windows says whose it is, and its name needs no change where releases lie', async () => {
  const prepackaged = join(folder, 'windows')
  await mkdir(join(prepackaged, 'resources'), { recursive: true })
  await writeFile(join(prepackaged, 'Slipway.exe'), '')
  const started: string[] = []
  const computed: unknown[] = []
  for (const [name, value] of Object.entries(tools)) vi.stubEnv(name, value)
  try {
    await build({
      projectDir: top,
      prepackaged,
      publish: 'never',
      targets: Platform.WINDOWS.createTarget(['nsis'], Arch.x64),
      config: {
        extends: join(top, 'build/electron-builder.yml'),
        directories: { output: join(folder, 'nsis') },
        artifactBuildStarted: ({ file }) => void started.push(basename(file)),
      },
      // Called before makensis would be; `true` leaves it at that.
      effectiveOptionComputed: (options: unknown) => {
        computed.push(options)
        return Promise.resolve(true)
      },
    })
  } finally {
    vi.unstubAllEnvs()
  }
  expect(started).toEqual([`Slipway-Setup-${version}.exe`])
  expect(started[0]).toMatch(portable)
  expect(computed).toEqual([
    [
      expect.objectContaining({
        APP_ID: 'app.slipway',
        PRODUCT_NAME: 'Slipway',
        COMPANY_NAME: manifest.author.name,
        UNINSTALL_DISPLAY_NAME: `Slipway ${version}`,
        UNINSTALL_URL_INFO_ABOUT: manifest.homepage,
      }),
      expect.objectContaining({ OutFile: `"${join(folder, 'nsis', `Slipway-Setup-${version}.exe`)}"` }),
    ],
  ])
})
