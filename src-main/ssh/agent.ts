import ssh2, {
  type BaseAgent,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2'
import type { Clock } from '../domain/clock.ts'
import { within } from './deadline.ts'

/** An agent that has keys to try, or why it cannot be used. */
export type FoundAgent =
  { readonly kind: 'usable'; readonly agent: BaseAgent } | { readonly kind: 'unusable'; readonly why: string }

/** Agents answer from memory; one that takes longer hangs. */
const answerDeadlineMs = 5_000

/**
 * Asks the agent for its keys: many have none, and some sockets are left over from an agent that is gone.
 *
 * @param only the keys that may be tried, in SSH's wire format; `null` for all that it holds
 */
export async function findAgent(
  socket: string,
  clock: Clock,
  only: readonly Buffer[] | null,
): Promise<FoundAgent> {
  const whole = ssh2.createAgent(socket)
  const agent = only === null ? whole : new SomeKeysAgent(whole, only)
  try {
    const count = await within(clock, answerDeadlineMs, countKeys(agent), () => new Error('no answer'))
    return count > 0
      ? { kind: 'usable', agent }
      : {
          kind: 'unusable',
          why: only === null ? 'it holds no keys' : 'it holds no key that an identity file names',
        }
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

/** As agents of ssh2 list them. */
type AgentKey = string | Buffer | ParsedKey | { readonly pubKey: AgentKey }

function wireFormOf(key: AgentKey): Buffer {
  if (Buffer.isBuffer(key)) return key
  if (typeof key === 'string') return Buffer.from(key, 'base64')
  return 'pubKey' in key ? wireFormOf(key.pubKey) : key.getPublicSSH()
}

/** An agent of which some keys only are seen. */
class SomeKeysAgent extends ssh2.BaseAgent {
  readonly #agent: BaseAgent
  readonly #only: readonly Buffer[]

  constructor(agent: BaseAgent, only: readonly Buffer[]) {
    super()
    this.#agent = agent
    this.#only = only
  }

  override getIdentities(tell: IdentityCallback): void {
    this.#agent.getIdentities((error, keys) => {
      const isNamed = (key: AgentKey): boolean => this.#only.some((each) => each.equals(wireFormOf(key)))
      tell(error, keys?.filter(isNamed))
    })
  }

  override sign(
    key: string | Buffer | ParsedKey,
    data: Buffer,
    options: SigningRequestOptions | SignCallback,
    callback?: SignCallback,
  ): void {
    if (typeof options === 'function') this.#agent.sign(key, data, options)
    else this.#agent.sign(key, data, options, callback)
  }
}
