// Types of allowed-licenses.mjs.

export const allowedLicenses: readonly string[]
export function isAllowed(expression: string): boolean
