import { expect } from 'vitest'

// Vitest types these as `any`; here they are what they may stand for: anything at all.
export const anyNumber: unknown = expect.any(Number)
export const anyString: unknown = expect.any(String)

/** Any string with this part in it. */
export const containing = (part: string): unknown => expect.stringContaining(part)
