import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyOfferLists, type OfferLists } from '#domain/offers/offer-lists.ts'
import { defaultOfferQuery } from '#domain/offers/offer.ts'
import {
  changedSettings,
  listChangesOf,
  longestSettingsFile,
  mergedLists,
  portableSetting,
  readSettingsFile,
  settingsFileText,
} from '#domain/settings/settings-file.ts'
import { preferences } from '#domain/settings/settings.ts'

const app = 'Slipway 1.2.3'
const here = preferences.parse({
  theme: 'dark',
  sshUser: 'kim',
  jumpHosts: 'bastion.example.com',
  identityFiles: ['~/.ssh/canary'],
  lastOfferQuery: { ...defaultOfferQuery, limit: 7 },
})

const marks = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('machine' as const, 'host' as const, 'offer' as const),
    id: fc.integer({ min: 1, max: 12 }),
    title: fc.string({ maxLength: 5 }),
    at: fc.integer({ min: 0, max: 100 }),
  }),
  { selector: ({ kind, id }) => `${kind} ${id}`, maxLength: 12 },
)
/** As the app keeps them: nothing is in both lists, and the newest comes first. */
const lists: fc.Arbitrary<OfferLists> = fc
  .record({
    marks,
    cut: fc.nat(12),
    searches: fc.uniqueArray(
      fc.record({
        id: fc.constantFrom('a', 'b', 'c', 'd'),
        name: fc.constantFrom('One', 'Two'),
        query: fc.constant(defaultOfferQuery),
      }),
      { selector: ({ id }) => id },
    ),
  })
  .map(({ marks: all, cut, searches }) => {
    const sorted = all.toSorted((one, other) => other.at - one.at)
    return { favorites: sorted.slice(0, cut), blocked: sorted.slice(cut), searches }
  })

const offersOf = (of: OfferLists) => ({ serviceAddress: 'https://rent.example.com', lists: of })

test('what was saved is read: settings, lists, and nothing that stays with this computer', () => {
  fc.assert(
    fc.property(lists, (saved) => {
      const text = settingsFileText({ app, preferences: here, offers: offersOf(saved) })
      const read = readSettingsFile(text)
      if (!read.ok) throw new Error(read.why)
      expect(read.content.offers).toEqual(offersOf(saved))
      for (const name of portableSetting.options) expect(read.content.settings[name]).toEqual(here[name])
      expect(text).not.toContain('canary')
      expect(text).not.toContain('lastOfferQuery')
    }),
  )
})

test('it names its format, its version, and what saved it', () => {
  expect(JSON.parse(settingsFileText({ app, preferences: here, offers: null }))).toMatchObject({
    format: 'slipway-settings',
    version: 2,
    app,
    offers: null,
  })
})

test('every preference is in it, or is one of those that stay here', () => {
  const left = ['dismissedNotices', 'firstSteps', 'identityFiles', 'lastOfferQuery', 'ownEditor']
  expect([...portableSetting.options, ...left].toSorted()).toEqual(Object.keys(here).toSorted())
})

describe('a file that is refused', () => {
  const text = settingsFileText({ app, preferences: here, offers: offersOf(emptyOfferLists) })
  const withContent = (change: object): string => JSON.stringify({ ...JSON.parse(text), ...change })
  const mark = { kind: 'machine', id: 1, title: '', at: 0 }
  const search = { id: 'a', name: 'A', query: defaultOfferQuery }
  const withLists = (change: object): string =>
    withContent({ offers: { serviceAddress: 'x', lists: { ...emptyOfferLists, ...change } } })

  test.each([
    ['nothing', '', 'other-file'],
    ['not JSON', '{"format":"slipway-settings"', 'other-file'],
    ['another list', '[]', 'other-file'],
    ['a template', '{"format":"slipway-template","version":1}', 'other-file'],
    ['without a version', withContent({ version: undefined }), 'other-file'],
    ['a newer Slipway’s', withContent({ version: 3, settings: 'otherwise' }), 'newer'],
    ['without settings', withContent({ settings: undefined }), 'damaged'],
    ['a wrong type', withContent({ settings: { theme: 7 } }), 'damaged'],
    ['a wrong type deep inside', withContent({ settings: { terminals: { fontSize: 'x' } } }), 'damaged'],
    [
      'words for a user that ssh would not take',
      withContent({ settings: { sshUser: '-oProxyCommand=x' } }),
      'damaged',
    ],
    ['lists that are none', withLists({ favorites: {} }), 'damaged'],
    ['a mark twice', withLists({ favorites: [mark], blocked: [mark] }), 'damaged'],
    ['a search twice', withLists({ searches: [search, search] }), 'damaged'],
    [
      'too many marks',
      withLists({ blocked: Array.from({ length: 5001 }, (_, id) => ({ ...mark, id })) }),
      'damaged',
    ],
    ['too long', ' '.repeat(longestSettingsFile + 1), 'too-long'],
    ['too deep', '['.repeat(1_000_000), 'other-file'],
    ['quotes without an end', `"${'\\"'.repeat(2_000_000)}`, 'other-file'],
    [
      'deep inside a filter',
      withLists({
        searches: [{ ...search, query: { ...defaultOfferQuery, filters: { gpu: { eq: 'DEEP' } } } }],
      }).replace('"DEEP"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
      'other-file',
    ],
  ])('%s', (_, hostile, why) => {
    expect(readSettingsFile(hostile)).toEqual({ ok: false, why })
  })

  test('names that mean something to JavaScript are nothing to it', () => {
    const read = readSettingsFile(
      text.replace(
        '"settings": {',
        '"settings": { "__proto__": {"theme":"light","polluted":1}, "constructor": 7,',
      ),
    )
    expect(read.ok && changedSettings(here, read.content.settings)).toEqual({})
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('whatever it holds, it is read or refused', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (settings, offers) => {
        expect(readSettingsFile(withContent({ settings, offers }))).toHaveProperty('ok')
      }),
    )
  })
})

test('brackets and quotes in names do not count as depth', () => {
  const name = `${'[{'.repeat(40)}"\\`
  const saved = { ...emptyOfferLists, searches: [{ id: 'a', name, query: defaultOfferQuery }] }
  const read = readSettingsFile(settingsFileText({ app, preferences: here, offers: offersOf(saved) }))
  expect(read.ok && read.content.offers?.lists.searches[0]?.name).toBe(name)
})

test('a file of the first version is read, whose favorites have another name', () => {
  const { favorites, ...others } = emptyOfferLists
  const mark = { kind: 'machine', id: 1, title: 'One', at: 5 } as const
  const older = (offers: unknown): string =>
    JSON.stringify({ format: 'slipway-settings', version: 1, app, settings: { theme: 'light' }, offers })
  const lists = { ...others, favourites: [...favorites, mark] }
  const read = readSettingsFile(older({ serviceAddress: 'https://rent.example.com', lists }))
  expect(read).toEqual({
    ok: true,
    content: { settings: { theme: 'light' }, offers: offersOf({ ...others, favorites: [mark] }) },
  })
  expect(readSettingsFile(older(null))).toMatchObject({ ok: true, content: { offers: null } })
})

test('an older Slipway’s file changes only the settings that it has', () => {
  expect(changedSettings(here, { theme: 'light', sshUser: 'kim' })).toEqual({ theme: 'light' })
})

describe('lists that are put together', () => {
  test('have all of the file, and of ours what the file does not name', () => {
    fc.assert(
      fc.property(lists, lists, (own, from) => {
        const merged = mergedLists(own, from)
        const keys = (all: OfferLists['blocked']) => all.map(({ kind, id }) => `${kind} ${id}`)
        const all = [...keys(merged.favorites), ...keys(merged.blocked)]
        expect(new Set(all).size).toBe(all.length)
        expect(new Set(all)).toEqual(
          new Set([own, from].flatMap(({ favorites, blocked }) => [...keys(favorites), ...keys(blocked)])),
        )
        expect(merged.favorites).toEqual(expect.arrayContaining([...from.favorites]))
        expect(merged.blocked).toEqual(expect.arrayContaining([...from.blocked]))
        expect(merged.searches).toEqual(expect.arrayContaining([...from.searches]))
        expect(listChangesOf(own, merged).searches).toBe(merged.searches.length - own.searches.length)
      }),
    )
  })

  test('are the same when it is done again, and nothing changes then', () => {
    fc.assert(
      fc.property(lists, lists, (own, from) => {
        const merged = mergedLists(own, from)
        expect(mergedLists(merged, from)).toEqual(merged)
        expect(listChangesOf(merged, mergedLists(merged, from))).toEqual({
          ...{ favorites: 0, removedFavorites: 0, blocked: 0, unblocked: 0 },
          ...{ searches: 0, replacedSearches: 0 },
        })
      }),
    )
  })
})
