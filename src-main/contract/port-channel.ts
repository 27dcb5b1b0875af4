// Apart from ports.ts, so that the preload script holds these names and not the whole of zod.

/** The channel by which the page hands MessagePorts to main. */
export const portChannel = 'slipway:port'

/** The channel by which the preload script tells main where files lie that the user dropped on the page. */
export const dropChannel = 'slipway:drop'

/**
 * How many files are dropped at once at most. Chromium's time for a drop grows with the square of their number: its window
 * stands still for 2 s over 2,000, and for half a minute over 10,000. The folder that they are in takes no time.
 */
export const mostDropped = 2_000
