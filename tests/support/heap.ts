import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes that are held on to, once all that is not is collected. */
export async function heldBytes(): Promise<number> {
  await collectGarbage()
  return process.memoryUsage().heapUsed
}

/** Collects what nobody holds on to. */
export async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    collect()
    // What waits for the collector, such as signals that nobody listens to, goes in a later turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
}
