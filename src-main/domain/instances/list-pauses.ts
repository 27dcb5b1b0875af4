import { z } from 'zod'

/** How often clients should ask for instances that somebody waits for (service API 4.4, 8), in seconds. */
export const advisedPauseSeconds = 10

/** What the list is asked for again after when nobody looks at it and nothing changes, in seconds. */
export const restingPauseSeconds = z.number().int().min(advisedPauseSeconds).max(300)
/** Auto-stop rules rely on it: with one, no choice makes the list older. */
export const defaultRestingPauseSeconds = 30
