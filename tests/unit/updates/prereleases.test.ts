import { expect, onTestFinished, test } from 'vitest'
import { settle } from '../../support/fake-clock.ts'
import { nothing, setUp, told } from './updates-setup.ts'

/** Follows the preferences until the end of the test. */
function following({ updates }: ReturnType<typeof setUp>): void {
  const end = new AbortController()
  const done = updates.follow(end.signal)
  onTestFinished(() => {
    end.abort()
    return done
  })
}

test('pre-releases are looked for and offered only when the user wants them', async () => {
  const { updates, seen } = setUp()
  await updates.look()
  expect([seen.channels, updates.state.value]).toMatchObject([['latest'], { version: '1.2.4' }])

  const wanted = setUp({ getsPrereleases: true })
  await wanted.updates.look()
  expect(wanted.seen.channels).toEqual(['beta'])
  expect(wanted.updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0-beta.2' })
})

test('who wants pre-releases is offered the release that follows them', async () => {
  const newestBeta = told('1.3.0', { name: 'beta-linux.yml' })
  const { updates } = setUp({ getsPrereleases: true, currentVersion: '1.3.0-beta.2', newestBeta })
  await updates.look()
  expect(updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0' })
})

test('a release of one channel does not count in the other, although it is signed', async () => {
  const { updates } = setUp({ newest: told('1.3.0-beta.2', { name: 'beta-linux.yml' }) })
  await updates.look()
  expect(updates.state.value).toMatchObject({ problem: { cause: 'unsigned' } })
})

test('back from pre-releases: nothing older is offered, only the release that comes after', async () => {
  const { updates, place } = setUp({ currentVersion: '1.3.0-beta.2' })
  await updates.look()
  expect(updates.state.value.kind).toBe('idle')
  place.newest = told('1.3.0')
  await updates.look()
  expect(updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0' })
})

test('the other choice takes back a pre-release that was found or loaded, and looks anew where that is daily', async () => {
  const one = setUp({ getsPrereleases: true })
  following(one)
  for (const work of [() => Promise.resolve(), () => one.updates.download()]) {
    one.preferences.set({ looksForUpdates: false, getsPrereleases: true })
    await settle()
    await one.updates.look()
    await work()
    expect(one.updates.state.value).toMatchObject({ version: '1.3.0-beta.2' })
    one.preferences.set({ looksForUpdates: false, getsPrereleases: false })
    await settle()
    expect(one.updates.state.value).toEqual({ kind: 'idle', at: null })
    await one.updates.install()
    expect(one.seen.installs).toBe(0)
  }

  const daily = setUp({ looksForUpdates: true, newest: told('1.2.3') })
  following(daily)
  await settle()
  expect(daily.seen.channels).toEqual(['latest'])
  daily.preferences.set({ looksForUpdates: true, getsPrereleases: true })
  await settle()
  expect(daily.seen.channels).toEqual(['latest', 'beta'])
  expect(daily.seen.told).toEqual(['1.3.0-beta.2'])
})

test('a release stays offered, whatever is chosen about pre-releases', async () => {
  const one = setUp()
  following(one)
  await settle()
  await one.updates.look()
  one.preferences.set({ looksForUpdates: false, getsPrereleases: true })
  await settle()
  expect(one.updates.state.value).toMatchObject({ kind: 'found', version: '1.2.4' })
})

test.each([
  ['look', { kind: 'found', version: '1.2.4' }],
  ['download', { kind: 'idle', at: null }],
] as const)('a choice made during a %s counts: no pre-release comes of it', async (step, expected) => {
  const one = setUp({ getsPrereleases: true })
  following(one)
  await settle()
  if (step === 'download') await one.updates.look()
  const answer = Promise.withResolvers<undefined>()
  one.place.answer = () => answer.promise
  const done = one.updates[step]()
  one.preferences.set({ looksForUpdates: false, getsPrereleases: false })
  await settle()
  answer.resolve(undefined)
  await done
  expect(one.updates.state.value).toMatchObject(expected)
})

test('a choice made while it is looked for has it looked for on the other channel, now and not a day later', async () => {
  const one = setUp({ looksForUpdates: true })
  const answer = Promise.withResolvers<undefined>()
  one.place.answer = () => answer.promise
  following(one)
  await settle()
  one.preferences.set({ looksForUpdates: true, getsPrereleases: true })
  await settle()
  expect(one.seen.channels).toEqual(['latest'])
  answer.resolve(undefined)
  await settle()
  expect(one.seen.channels).toEqual(['latest', 'beta'])
  expect(one.updates.state.value).toMatchObject({ kind: 'found', version: '1.3.0-beta.2' })
  expect(one.seen.told).toEqual(['1.3.0-beta.2'])
})

test('a pre-release that is no longer wanted when the question is answered is not installed', async () => {
  const one = setUp({ getsPrereleases: true, agrees: true, work: { ...nothing, terminals: 1 } })
  following(one)
  await settle()
  await one.updates.look()
  await one.updates.download()
  const answer = Promise.withResolvers<undefined>()
  one.place.answer = () => answer.promise
  const done = one.updates.install()
  expect(one.seen.questions).toHaveLength(1)
  one.preferences.set({ looksForUpdates: false, getsPrereleases: false })
  await settle()
  answer.resolve(undefined)
  await done
  expect(one.seen.installs).toBe(0)
})
