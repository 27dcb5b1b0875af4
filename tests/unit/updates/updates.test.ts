import { expect, test } from 'vitest'
import { settle } from '../../support/fake-clock.ts'
import { signingKey } from './signing.ts'
import { nothing, setUp, told } from './updates-setup.ts'

const hourMs = 60 * 60 * 1000

test('with the switch off nothing is asked for, however long it runs', async () => {
  const { updates, clock, seen } = setUp()
  const end = new AbortController()
  const following = updates.follow(end.signal)
  await clock.advance(72 * hourMs)
  expect(seen.looks).toBe(0)
  end.abort()
  await following
})

test('with the switch on it looks at once and daily, tells, loads nothing, and stops when it is turned off', async () => {
  const { updates, clock, preferences, seen, place } = setUp({ newest: told('1.2.3') })
  const end = new AbortController()
  const following = updates.follow(end.signal)
  preferences.set({ looksForUpdates: true, getsPrereleases: false })
  await settle()
  expect(seen.looks).toBe(1)
  expect(updates.state.value).toEqual({ kind: 'idle', at: clock.now() })
  // Off and on again within the day asks nobody anew.
  preferences.set({ looksForUpdates: false, getsPrereleases: false })
  await settle()
  preferences.set({ looksForUpdates: true, getsPrereleases: false })
  await settle()
  expect(seen.looks).toBe(1)
  place.newest = told('1.2.4')
  await clock.advance(25 * hourMs)
  expect(seen.looks).toBe(2)
  expect(updates.state.value).toEqual({ kind: 'found', version: '1.2.4', notes: 'Faster.' })
  expect(seen.told).toEqual(['1.2.4'])
  expect(seen.downloads).toBe(0)
  preferences.set({ looksForUpdates: false, getsPrereleases: false })
  place.newest = told('1.2.5')
  await clock.advance(72 * hourMs)
  expect(seen.looks).toBe(2)
  end.abort()
  await following
})

test.each([
  ['older', told('1.2.2')],
  ['the same', told('1.2.3')],
  ['a pre-release', told('1.3.0-beta.1')],
])('a signed release that is %s is not offered', async (_, newest) => {
  const { updates } = setUp({ newest })
  await updates.look()
  expect(updates.state.value.kind).toBe('idle')
})

test.each([
  ['by somebody else', told('1.2.4', { by: signingKey() })],
  // Whoever serves the files can give any of them any name.
  ['for another system', told('1.2.4', { name: 'latest.yml' })],
  ['for another architecture', told('1.2.4', { name: 'latest-linux-arm64.yml' })],
  ['for other files', { ...Object(told('1.2.4')), files: [{ url: 'Slipway.AppImage', sha512: 'evil' }] }],
  ['for other notes', { ...Object(told('1.2.4')), releaseNotes: 'Go to https://evil.example' }],
  ['not at all', { ...Object(told('1.2.4')), slipwaySignature: undefined }],
  ['with no shape', 'a captive portal'],
])('a release that is signed %s is refused, and cannot be loaded', async (_, newest) => {
  const { updates, seen } = setUp({ newest })
  await updates.look()
  expect(updates.state.value).toEqual({
    kind: 'failed',
    problem: { kind: 'update-failed', cause: 'unsigned' },
  })
  await updates.download()
  await updates.install()
  expect([seen.downloads, seen.installs]).toEqual([0, 0])
})

test('a release that has nothing for this computer is refused, although it is signed for it', async () => {
  const { updates, seen } = setUp({ newest: told('1.2.4', { url: 'Slipway-Setup.exe' }) })
  await updates.look()
  expect(updates.state.value).toEqual({ kind: 'failed', problem: { kind: 'update-failed', cause: 'unfit' } })
  await updates.download()
  expect(seen.downloads).toBe(0)
})

test('a place that cannot be reached is told, and tried again when the user says so', async () => {
  const { updates, place } = setUp({ newest: new Error('net::ERR_NAME_NOT_RESOLVED') })
  await updates.look()
  expect(updates.state.value).toMatchObject({ problem: { cause: 'unreachable' } })
  place.newest = told('1.2.4')
  await updates.look()
  expect(updates.state.value.kind).toBe('found')
})

test('it installs without a word when that ends nothing, and only what was loaded', async () => {
  const { updates, seen } = setUp()
  await updates.look()
  await updates.install()
  expect(seen.installs).toBe(0)
  await updates.download()
  await updates.install()
  expect(seen.installs).toBe(1)
  expect(seen.questions).toEqual([])
})

test('what the system does not install is told, and can be tried again', async () => {
  const { updates, place } = setUp()
  place.installs = false
  await updates.look()
  await updates.download()
  await updates.install()
  expect(updates.state.value).toEqual({
    kind: 'failed',
    problem: { kind: 'update-failed', cause: 'not-installed' },
  })
  await updates.look()
  expect(updates.state.value.kind).toBe('found')
})

test('a version that was found is told once, however many days it waits', async () => {
  const { updates, clock, seen } = setUp({ looksForUpdates: true })
  const end = new AbortController()
  const following = updates.follow(end.signal)
  await clock.advance(72 * hourMs)
  expect(seen.told).toEqual(['1.2.4'])
  end.abort()
  await following
})

test('what an installation would end is asked about first, and “not now” installs nothing', async () => {
  const work = { ...nothing, terminals: 2, transfers: 1, isTrying: true }
  const { updates, seen } = setUp({ work })
  await updates.look()
  await updates.download()
  await updates.install()
  expect(seen.installs).toBe(0)
  expect(seen.questions[0]).toContain('2 open terminals, 1 transfer')
  expect(seen.questions[0]).toContain('trying machines until one runs')
  expect(updates.state.value.kind).toBe('ready')
})

/** A run that ended to install 1.2.4; what it leaves is the next run's. */
async function endedToInstall() {
  const { updates, begun } = setUp()
  await updates.look()
  await updates.download()
  await updates.install()
  return begun
}

test('an installation that came to nothing after the end is told by the next runs, until the user knows', async () => {
  const begun = await endedToInstall()
  expect(setUp({ begun }).updates.notInstalled.value).toBe('1.2.4')
  const { updates } = setUp({ begun })
  expect(updates.notInstalled.value).toBe('1.2.4')
  await updates.forgetNotInstalled()
  expect(updates.notInstalled.value).toBeNull()
  expect(setUp({ begun }).updates.notInstalled.value).toBeNull()
})

test('one that came about is not told, and not told either when an older version is taken later on', async () => {
  const begun = await endedToInstall()
  const { updates } = setUp({ begun, currentVersion: '1.2.4' })
  expect(updates.notInstalled.value).toBeNull()
  const end = new AbortController()
  const following = updates.follow(end.signal)
  await settle()
  end.abort()
  await following
  expect(setUp({ begun, currentVersion: '1.2.3' }).updates.notInstalled.value).toBeNull()
})

test('one that the system refuses while Slipway runs is told at once, and not again at the next start', async () => {
  const { updates, place, begun } = setUp()
  place.installs = false
  await updates.look()
  await updates.download()
  await updates.install()
  expect(updates.state.value.kind).toBe('failed')
  expect(setUp({ begun }).updates.notInstalled.value).toBeNull()
})
