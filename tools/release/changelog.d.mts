// Types of changelog.mjs.

export function notesOf(changelog: string, version: string): string
