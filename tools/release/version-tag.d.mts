// Types of version-tag.mjs.

export function checkTag(tag: string, version: string): string | null
