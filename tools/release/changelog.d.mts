// Types of changelog.mjs.

export function notesOf(changelog: string, version: string): string

/** The released versions that CHANGELOG.md names, in its order. */
export function releasesOf(changelog: string): readonly { readonly version: string; readonly date: string }[]
