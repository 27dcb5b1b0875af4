// Apart from ports.ts, so that the preload script holds these names and not the whole of zod.

/** The only channel between the page and main: it hands over MessagePorts, and nothing else. */
export const portChannel = 'slipway:port'
