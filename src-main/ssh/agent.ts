import ssh2, { type BaseAgent } from 'ssh2'
import type { Clock } from '../domain/clock.ts'
import { within } from './deadline.ts'

/** An agent that has keys to try, or why it cannot be used. */
export type FoundAgent =
  { readonly kind: 'usable'; readonly agent: BaseAgent } | { readonly kind: 'unusable'; readonly why: string }

/** Agents answer from memory; one that takes longer hangs. */
const answerDeadlineMs = 5_000

/** Asks the agent for its keys: many have none, and some sockets are left over from an agent that is gone. */
export async function findAgent(socket: string, clock: Clock): Promise<FoundAgent> {
  const agent = ssh2.createAgent(socket)
  try {
    const count = await within(clock, answerDeadlineMs, countKeys(agent), () => new Error('no answer'))
    return count > 0 ? { kind: 'usable', agent } : { kind: 'unusable', why: 'it holds no keys' }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { kind: 'unusable', why: `it cannot be asked: ${detail}` }
  }
}

function countKeys(agent: BaseAgent): Promise<number> {
  return new Promise((resolve, reject) => {
    agent.getIdentities((error, keys) => {
      if (error) reject(error)
      else resolve(keys?.length ?? 0)
    })
  })
}
