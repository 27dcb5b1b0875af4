import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppImageUpdater, AppUpdater } from 'electron-updater'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ProxyLogins } from '../../../src-main/desktop/network/proxy-logins.ts'
import { createUpdateEngine } from '../../../src-main/desktop/updater.ts'
import { systemClock } from '../../../src-main/app/system-clock.ts'
import { Latest } from '#domain/base/latest.ts'
import { releaseFileFor } from '#services/updates/release.ts'
import { Updates } from '#services/updates/updates.ts'
import { signReleaseFile } from '../../../tools/release/release-file.mjs'
import { memoryFile } from '../../support/memory-file.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { signingKey } from '../../unit/updates/signing.ts'
import { NodeUpdateExecutor } from './node-http-executor.ts'

/** The real electron-updater, as an AppImage uses it, on a real server: all but Electron's own network. */
const key = signingKey()
const newProgram = '#!/bin/sh\necho new > "$(dirname "$0")/was-started"\n'
const fileName = 'Slipway-1.2.4.AppImage'
const computer = { platform: 'linux', arch: process.arch }
const releaseFile = releaseFileFor(computer, 'latest')
const betaFile = releaseFileFor(computer, 'beta')

let folder: string
let server: Server
let served: Map<string, string>
let asked: { path: string; headers: NodeJS.Dict<string | string[]> }[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-updates-'))
  served = new Map()
  asked = []
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://place').pathname
    asked.push({ path, headers: request.headers })
    const body = served.get(path)
    response.writeHead(body === undefined ? 404 : 200).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

function serve(
  version: string,
  {
    program = newProgram,
    signed = newProgram,
    by = key,
    file: name = fileName,
    signedAs = releaseFile,
    as = releaseFile,
  } = {},
): void {
  const sha512 = createHash('sha512').update(signed).digest('base64')
  const file = [
    `version: ${version}`,
    `files:\n  - url: ${name}\n    sha512: ${sha512}\n    size: ${signed.length}`,
    `path: ${name}\nsha512: ${sha512}`,
    'releaseNotes: |\n  ### Added\n\n  - <b>Nothing</b> runs here.',
    "releaseDate: '2026-01-01T00:00:00.000Z'",
  ].join('\n')
  served.set(`/${as}`, signReleaseFile(signedAs, file, by.privateKey))
  served.set(`/${name}`, program)
}

/** The new version is started when the old one is gone, and leaves its mark in the folder. */
async function untilNewRan(): Promise<void> {
  await expect.poll(() => readFile(join(folder, 'was-started'), 'utf8').catch(() => '')).toBe('new\n')
}

/** What electron-updater asks of Electron's app. */
function programIn(place: string, version = '1.2.3') {
  return {
    version,
    name: 'slipway',
    isPackaged: true,
    appUpdateConfigPath: join(place, 'app-update.yml'),
    userDataPath: join(place, 'data'),
    baseCachePath: join(place, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  }
}

async function start({ currentVersion = '1.2.3', getsPrereleases = false } = {}) {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const appImage = join(folder, 'slipway')
  await writeFile(appImage, 'old')
  await chmod(appImage, 0o755)
  await writeFile(
    join(folder, 'app-update.yml'),
    `provider: generic\nurl: http://127.0.0.1:${port}/\nupdaterCacheDirName: slipway-updater\n`,
  )
  vi.stubEnv('APPIMAGE', appImage)
  const updater = new AppImageUpdater(null, programIn(folder, currentVersion))
  Object.assign(updater, { httpExecutor: new NodeUpdateExecutor() })
  const log = memoryLog()
  const logins = new ProxyLogins()
  const ends = { count: 0, isAnnounced: false }
  const onInstall = (): void => void (ends.isAnnounced = true)
  const onNotInstalled = (): void => void (ends.isAnnounced = false)
  const quitThen = (last: () => void): void => {
    ends.count += 1
    last()
  }
  const preferences = new Latest({ looksForUpdates: false, getsPrereleases })
  const updates = new Updates({
    source: {
      kind: 'engine',
      engine: createUpdateEngine(updater, { onInstall, onNotInstalled, quitThen, logins, log }),
      publicKey: key.publicKey,
      computer,
    },
    currentVersion,
    preferences,
    atWork: () => ({
      guards: 0,
      isTrying: false,
      autoRents: 0,
      jobs: 0,
      terminals: 0,
      forwards: 0,
      transfers: 0,
    }),
    ask: () => Promise.resolve(true),
    notify: () => undefined,
    begun: memoryFile<string | null>(null),
    clock: systemClock,
    log,
  })
  return { updates, updater, preferences, appImage, ends }
}

test('a newer, signed release is found with its notes, loaded, installed in the place of the old one, and started', async () => {
  serve('1.2.4')
  const { updates, appImage, ends } = await start()
  await updates.look()
  expect(updates.state.value).toEqual({
    kind: 'found',
    version: '1.2.4',
    notes: '### Added\n\n- <b>Nothing</b> runs here.',
  })
  expect(asked.map(({ path }) => path)).not.toContain(`/${fileName}`)
  await updates.download()
  expect(updates.state.value.kind).toBe('ready')
  expect(await readFile(appImage, 'utf8')).toBe('old')
  await updates.install()
  expect(ends).toEqual({ count: 1, isAnnounced: true })
  expect(await readFile(appImage, 'utf8')).toBe(newProgram)
  await untilNewRan()
})

test('a file that is not what was signed is thrown away', async () => {
  serve('1.2.4', { program: newProgram.replace('new', 'bad') })
  const { updates, appImage } = await start()
  await updates.look()
  await updates.download()
  expect(updates.state.value).toEqual({
    kind: 'failed',
    problem: { kind: 'update-failed', cause: 'damaged' },
  })
  await updates.install()
  expect(await readFile(appImage, 'utf8')).toBe('old')
})

test('a file and its checksum that were both exchanged do not help who has not the key', async () => {
  const evil = newProgram.replace('new', 'bad')
  serve('1.2.4', { program: evil, signed: evil, by: signingKey() })
  const { updates } = await start()
  await updates.look()
  expect(updates.state.value).toEqual({
    kind: 'failed',
    problem: { kind: 'update-failed', cause: 'unsigned' },
  })
  expect(asked.map(({ path }) => path)).not.toContain(`/${fileName}`)
})

test.each([
  ['of another system, under the name of this one', 'latest.yml', 'unsigned'],
  ['with nothing for this system in it', releaseFile, 'unfit'],
])('a signed release %s is not loaded', async (_, signedAs, cause) => {
  const file = 'Slipway Setup 1.2.4.exe'
  serve('1.2.4', { file, signedAs })
  const { updates, appImage } = await start()
  await updates.look()
  await updates.download()
  await updates.install()
  expect(updates.state.value).toEqual({ kind: 'failed', problem: { kind: 'update-failed', cause } })
  expect(asked.map(({ path }) => path)).toEqual([`/${releaseFile}`])
  expect(await readFile(appImage, 'utf8')).toBe('old')
})

test('an older release, although signed, is refused', async () => {
  serve('1.2.2')
  const { updates } = await start()
  await updates.look()
  expect(updates.state.value.kind).toBe('idle')
  await updates.download()
  expect(asked.map(({ path }) => path)).not.toContain(`/${fileName}`)
})

test('pre-releases are asked for only when they are wanted, and are then installed like releases', async () => {
  serve('1.2.4')
  serve('1.3.0-beta.1', { as: betaFile, signedAs: betaFile })
  const { updates, preferences, appImage } = await start()
  await updates.look()
  expect(updates.state.value).toMatchObject({ kind: 'found', version: '1.2.4' })
  expect(asked.map(({ path }) => path)).toEqual([`/${releaseFile}`])

  const other = await start({ getsPrereleases: true })
  await other.updates.look()
  expect(other.updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0-beta.1' })
  expect(preferences.value.getsPrereleases).toBe(false)
  await other.updates.download()
  await other.updates.install()
  expect(await readFile(appImage, 'utf8')).toBe(newProgram)
  await untilNewRan()
})

test('a pre-release that stands where releases are looked for is refused, and so is the other way around', async () => {
  serve('1.3.0-beta.1', { signedAs: betaFile })
  serve('1.2.4', { as: betaFile })
  for (const getsPrereleases of [false, true]) {
    const { updates } = await start({ getsPrereleases })
    await updates.look()
    expect(updates.state.value).toMatchObject({ problem: { cause: 'unsigned' } })
  }
})

test('back from pre-releases to releases: a pre-release stays until a release comes after it', async () => {
  serve('1.2.4')
  serve('1.3.0-beta.1', { as: betaFile, signedAs: betaFile })
  const { updates, updater, preferences, appImage } = await start({
    currentVersion: '1.3.0-beta.1',
    getsPrereleases: true,
  })
  await updates.look()
  preferences.set({ looksForUpdates: false, getsPrereleases: false })
  await updates.look()
  expect(updates.state.value.kind).toBe('idle')
  // electron-updater takes another channel as a wish to go back.
  expect(updater.allowDowngrade).toBe(false)
  await updates.download()
  expect(await readFile(appImage, 'utf8')).toBe('old')
  expect(asked.map(({ path }) => path)).toEqual([`/${betaFile}`, `/${releaseFile}`])

  serve('1.3.0')
  await updates.look()
  expect(updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0' })
})

test('nothing that is sent tells this installation from another', async () => {
  serve('1.2.4')
  const first = await start()
  await first.updates.look()
  await rm(join(folder, 'data'), { recursive: true, force: true })
  const second = await start()
  await second.updates.look()
  const [one, other] = asked.map(({ headers }) => headers)
  expect(one).toEqual(other)
})

test('a place that answers something else is told as one that cannot be reached', async () => {
  const { updates } = await start()
  await updates.look()
  expect(updates.state.value).toEqual({
    kind: 'failed',
    problem: { kind: 'update-failed', cause: 'unreachable' },
  })
})

/** As on macOS: the system takes the new version over by itself, and tells later whether it did. */
class SystemUpdater extends AppUpdater {
  constructor(place: string) {
    super(null, programIn(place))
  }
  protected override doDownloadUpdate(): Promise<never> {
    return Promise.reject(new Error('Nothing is loaded here'))
  }
  override quitAndInstall(): void {
    setImmediate(() => this.emit('error', new Error('Signed by somebody else')))
  }
}

test('where the system refuses to install, the program goes on, and asks before it ends as ever', async () => {
  const said: string[] = []
  const engine = createUpdateEngine(new SystemUpdater(folder), {
    onInstall: () => said.push('ends'),
    onNotInstalled: () => said.push('goes on'),
    quitThen: () => said.push('quits'),
    logins: new ProxyLogins(),
    log: memoryLog(),
  })
  await expect(engine.install()).rejects.toThrow('Signed by somebody else')
  expect(said).toEqual(['ends', 'goes on'])
})
