import { z } from 'zod'
import { stepFrom, upgraded } from '../base/file-version.ts'
import { isSameJson, measureJson, parseJson } from '../base/json-value.ts'
import { formerOfferLists, offerLists, type OfferLists } from '../offers/offer-lists.ts'
import type { OfferMark } from '../offers/offer-mark.ts'
import { preferencesChange, type Preferences } from './settings.ts'

/** What tells such a file from others. */
const fileFormat = 'slipway-settings'
/** Favorites had their British name. */
const steps = [
  stepFrom(z.looseObject({ offers: z.looseObject({ lists: formerOfferLists }).nullable() })),
] as const
const latestVersion = steps.length + 1

/** Longest file that is read, in UTF-16 units: more than the longest lists take. */
export const longestSettingsFile = 8_000_000
/** Levels of a filter's own JSON, and of what is around it. */
const deepestNesting = 64

/**
 * What doesn't go to another computer: private key files and a program, whose paths are this computer's; the last search, the first
 * steps, and what was dismissed, which are no settings.
 */
type StaysHere = 'identityFiles' | 'ownEditor' | 'lastOfferQuery' | 'firstSteps' | 'dismissedNotices'

/** The settings that do. */
const portableSettings = preferencesChange.pick({
  theme: true,
  motion: true,
  formatLocale: true,
  sshUser: true,
  readSshConfig: true,
  jumpHosts: true,
  offerView: true,
  templateView: true,
  instanceView: true,
  fileView: true,
  showsAllFigures: true,
  notifications: true,
  terminals: true,
  hideSecretsAfterMinutes: true,
  restingPauseSeconds: true,
  stopsNewWhenIdle: true,
  newIdleMinutes: true,
  restorePage: true,
  tray: true,
  keepInTray: true,
  looksForUpdates: true,
  getsPrereleases: true,
} satisfies Readonly<Record<Exclude<keyof Preferences, StaysHere>, true>>)
export type PortableSettings = z.infer<typeof portableSettings>
export const portableSetting = portableSettings.keyof()
export type PortableSetting = z.infer<typeof portableSetting>

/** A file with settings. An older Slipway's may lack some: they stay as they are. What one lacks inside has its default. */
const settingsFile = z.object({
  settings: portableSettings,
  /** Of the account that the file was saved in, with the address of its service; `null` without an account. */
  offers: z
    .object({ serviceAddress: z.string().min(1).max(2000), lists: offerLists.refine(hasNothingTwice) })
    .nullable(),
})
export type SettingsFile = z.infer<typeof settingsFile>

const envelope = z.object({ format: z.literal(fileFormat), version: z.int().min(1) })

/** The text of such a file. Whatever else is in `from` is left out. */
export function settingsFileText(from: {
  readonly app: string
  readonly preferences: Preferences
  readonly offers: SettingsFile['offers']
}): string {
  const { app, preferences, offers } = from
  const content = settingsFile.parse({ settings: preferences, offers })
  return `${JSON.stringify({ format: fileFormat, version: latestVersion, app, ...content }, null, 2)}\n`
}

export type ReadSettingsFile =
  | { readonly ok: true; readonly content: SettingsFile }
  | { readonly ok: false; readonly why: 'too-long' | 'other-file' | 'newer' | 'damaged' }

/** Reads such a file, which may come from anybody: all of it fits, or nothing of it is taken. */
export function readSettingsFile(text: string): ReadSettingsFile {
  if (text.length > longestSettingsFile) return { ok: false, why: 'too-long' }
  // What checks the content goes down into it, and must come back.
  if (measureJson(text).depth > deepestNesting) return { ok: false, why: 'other-file' }
  const json = parseJson(text)
  const outer = envelope.safeParse(json)
  if (!outer.success) return { ok: false, why: 'other-file' }
  if (outer.data.version > latestVersion) return { ok: false, why: 'newer' }
  const parsed = settingsFile.safeParse(upgraded(json, outer.data.version, steps))
  return parsed.success ? { ok: true, content: parsed.data } : { ok: false, why: 'damaged' }
}

/** The settings of the file that are others here. */
export function changedSettings(here: Preferences, from: PortableSettings): PortableSettings {
  const changed = portableSetting.options.filter(
    (name) => from[name] !== undefined && !isSameJson(from[name], here[name]),
  )
  return portableSettings.parse(Object.fromEntries(changed.map((name) => [name, from[name]])))
}

/** What is kept here, and what the file has besides; where both say something of the same, the file counts. */
export function mergedLists(here: OfferLists, from: OfferLists): OfferLists {
  const named = [...from.favorites, ...from.blocked]
  const keys = new Set(named.map(keyOf))
  const merged = (own: readonly OfferMark[], others: readonly OfferMark[]): readonly OfferMark[] =>
    [...others, ...own.filter((mark) => !keys.has(keyOf(mark)))].toSorted((one, other) => other.at - one.at)
  const searches = new Map(from.searches.map((search) => [search.id, search]))
  const known = new Set(here.searches.map(({ id }) => id))
  return {
    favorites: merged(here.favorites, from.favorites),
    blocked: merged(here.blocked, from.blocked),
    searches: [
      ...from.searches.filter(({ id }) => !known.has(id)),
      ...here.searches.map((search) => searches.get(search.id) ?? search),
    ],
  }
}

/**
 * How many of each the lists have that were not there before, how many favorites and blocks they no longer have, because
 * the file has them in the other list, and how many searches are others under their id.
 */
export const listChanges = z.object({
  favorites: z.number(),
  removedFavorites: z.number(),
  blocked: z.number(),
  unblocked: z.number(),
  searches: z.number(),
  replacedSearches: z.number(),
})
export type ListChanges = z.infer<typeof listChanges>

export function listChangesOf(before: OfferLists, after: OfferLists): ListChanges {
  const added = (own: readonly OfferMark[], next: readonly OfferMark[]): number => {
    const keys = new Set(own.map(keyOf))
    return next.filter((mark) => !keys.has(keyOf(mark))).length
  }
  const searches = new Map(before.searches.map((search) => [search.id, search]))
  const known = after.searches.filter(({ id }) => searches.has(id))
  return {
    favorites: added(before.favorites, after.favorites),
    removedFavorites: added(after.favorites, before.favorites),
    blocked: added(before.blocked, after.blocked),
    unblocked: added(after.blocked, before.blocked),
    searches: after.searches.length - known.length,
    replacedSearches: known.filter((search) => !isSameJson(search, searches.get(search.id))).length,
  }
}

function hasNothingTwice({ favorites, blocked, searches }: OfferLists): boolean {
  const keys = [...favorites, ...blocked].map(keyOf)
  const ids = searches.map(({ id }) => id)
  return new Set(keys).size === keys.length && new Set(ids).size === ids.length
}

function keyOf({ kind, id }: OfferMark): string {
  return `${kind} ${id}`
}
