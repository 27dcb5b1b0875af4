import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Below the ports that Linux, macOS and Windows give to connections and to servers that name none: such a
 * port could be taken again by anybody between the moment it is found and the moment it is used.
 */
const lowest = 18_000
const highest = 32_000

/** Far more than it takes while there is one left. */
const MOST_TRIES = 1_000

/**
 * A port of 127.0.0.1 that nobody listens on. On Linux no other test is given it before this process ends, also while
 * nobody listens on it.
 *
 * @throws when none is found
 */
export async function findFreePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(lowest, highest)
    if ((await claim(port)) && (await isFree(port))) return port
  }
  throw new Error(`No port from ${lowest} to ${highest} was found free in ${MOST_TRIES} tries`)
}

async function isFree(port: number): Promise<boolean> {
  const server = await listening({ port, host: '127.0.0.1' })
  if (server === null) return false
  server.close()
  await once(server, 'close')
  return true
}

/**
 * By a name that Linux gives to one process at a time, and takes back with its end (unix(7), abstract). Elsewhere there
 * is none, and two may draw the same by chance.
 */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const server = await listening({ path: `\0slipway-test-port-${port}` })
  server?.unref()
  return server !== null
}

/** `null` where somebody has that. */
async function listening(place: { port: number; host: string } | { path: string }): Promise<Server | null> {
  const server = createServer().listen(place)
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}
