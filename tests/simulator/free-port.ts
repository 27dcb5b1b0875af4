import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that Linux, macOS and Windows give to connections and to servers that name none: such a
 * port could be taken again by anybody between the moment it is found and the moment it is used.
 */
const LOWEST = 20_000
const HIGHEST = 32_000

const given = new Set<number>()

/** A port of 127.0.0.1 that nobody listens on, and that this process is given only once. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
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
