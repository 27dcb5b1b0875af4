import { createServer } from 'node:net'
import type { ForwardPlan } from '../../domain/forwards/forward.ts'
import { addressOf, codeOf, startListening } from './bind.ts'

/** How far above a port that is in use a free one is looked for. */
const nearby = 100

/** The first port above that nobody listens on, on this computer; `null` when there is none near. */
export async function nextFreePort(
  host: string,
  above: number,
  taken: ReadonlySet<number> = new Set(),
): Promise<number | null> {
  for (let port = above + 1; port <= Math.min(above + nearby, 65_535); port += 1) {
    if (!taken.has(port) && (await isFree(host, port))) return port
  }
  return null
}

/**
 * The plan, on the next free port where its own is in use or another plan's. On an instance nobody knows what
 * is free.
 */
export async function withFreePort(plan: ForwardPlan, others: readonly ForwardPlan[]): Promise<ForwardPlan> {
  if (plan.kind === 'remote') return plan
  const taken = new Set(others.filter(({ kind }) => kind !== 'remote').map(({ entrance }) => entrance.port))
  const port = await nextFreePort(addressOf(plan.entrance), plan.entrance.port - 1, taken)
  return port === null ? plan : { ...plan, entrance: { ...plan.entrance, port } }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await startListening(server, host, port)
    return true
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES') return false
    throw error
  } finally {
    server.close()
  }
}
