// Types of update-options.mjs.

export function updateOptions(env: Readonly<Record<string, string | undefined>>): string[]
