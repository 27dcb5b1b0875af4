import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux, macOS and Windows give to connections and to servers that name none: such a
 * port could be taken again by anybody between the moment it is found and the moment it is used.
 */
const passing = { lowest: 20_000, highest: 32_000 }

/** Apart from them: for a port that is to stay one's own while nobody listens on it. */
const lasting = { lowest: 18_000, highest: 20_000 }

/** Workers of one run have different ones of these; which one this is, Playwright says. */
const slots = 8
const slot = Number(process.env['TEST_PARALLEL_INDEX'] ?? 0) % slots

/** Far more than it takes while there is one left. */
const MOST_TRIES = 1_000

const given = new Set<number>()

/**
 * A port of 127.0.0.1 that nobody listens on, and that this process is given only once.
 *
 * @param use `lasting`: it will be used again and again
 * @throws when none is found
 */
export async function findFreePort(use: 'passing' | 'lasting' = 'passing'): Promise<number> {
  const { lowest, highest } = use === 'passing' ? passing : lasting
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const drawn = randomInt(lowest, highest)
    const port = use === 'passing' ? drawn : drawn - (drawn % slots) + slot
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
  throw new Error(`No port from ${lowest} to ${highest} was found free in ${MOST_TRIES} tries`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
