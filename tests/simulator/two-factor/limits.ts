const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** What the API says (service API 8). */
export const CHALLENGE_MS = 10 * MINUTE_MS
export const LOCKOUT_MS = 15 * MINUTE_MS
export const WINDOW_MS = 30 * MINUTE_MS
export const BACKUP_CODES = 10
export const LONGEST_LABEL = 30

/** What it leaves open, and the simulator chose (README.md). */
export const FAILURES_UNTIL_LOCKOUT = 5
export const SMS_OF_ACCOUNT = { count: 5, withinMs: 10 * MINUTE_MS } as const
export const ATTEMPTS_ON_NUMBER = { count: 10, withinMs: 24 * HOUR_MS } as const
export const SESSION_MS = 24 * HOUR_MS
