import ssh2, {
  type BaseAgent,
  type IdentityCallback,
  type ParsedKey,
  type SignCallback,
  type SigningRequestOptions,
} from 'ssh2'
import type { Clock } from '../../../domain/base/clock.ts'
import type { KeyFault } from '../../../domain/base/key-fault.ts'
import { within } from '../deadline.ts'

/** An agent that has keys to try, or why it cannot be used. */
export type FoundAgent =
  /** `leftOut`: so many of its keys are not offered. */
  | { readonly kind: 'usable'; readonly agent: BaseAgent; readonly leftOut: number }
  | { readonly kind: 'unusable'; readonly why: KeyFault }

/**
 * Of an agent's keys that no identity file names so many are offered, as many as OpenSSH's server lets anybody try
 * (`MaxAuthTries`). Each tells a stranger who one is, and a hostile server lets all of them be tried.
 */
export const mostUnnamedKeys = 6

/** Agents answer from memory; one that takes longer hangs. */
export const answerDeadlineMs = 5_000

/**
 * Asks the agent for its keys: many have none, and some sockets are left over from an agent that is gone.
 *
 * @param only the keys that may be tried, in SSH's wire format; `null` for all that it holds
 * @param first of those the ones that are tried before the others
 */
export async function findAgent(
  socket: string,
  clock: Clock,
  { only, first }: KeyChoice,
): Promise<FoundAgent> {
  const whole = ssh2.createAgent(socket)
  const agent = new SomeKeysAgent(whole, { only, first })
  try {
    const count = await within(clock, answerDeadlineMs, countKeys(agent), () => new Error('no answer'))
    return count > 0
      ? { kind: 'usable', agent, leftOut: agent.leftOut }
      : {
          kind: 'unusable',
          why: { code: only === null ? 'no-keys' : 'no-named-key' },
        }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { kind: 'unusable', why: { code: 'not-listed', detail } }
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

interface KeyChoice {
  readonly only: readonly Buffer[] | null
  readonly first: readonly Buffer[]
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
  readonly #choice: KeyChoice
  #leftOut = 0

  constructor(agent: BaseAgent, choice: KeyChoice) {
    super()
    this.#agent = agent
    this.#choice = choice
  }

  /** Of the keys that were listed last. */
  get leftOut(): number {
    return this.#leftOut
  }

  override getIdentities(tell: IdentityCallback): void {
    this.#agent.getIdentities((error, keys) => {
      if (error || !keys) return tell(error, keys)
      const { only, first } = this.#choice
      const isAmong = (list: readonly Buffer[]) => (key: AgentKey) =>
        list.some((each) => each.equals(wireFormOf(key)))
      if (only !== null) return tell(null, keys.filter(isAmong(only)))
      const isNamed = isAmong(first)
      const unnamed = keys.filter((key) => !isNamed(key))
      this.#leftOut = Math.max(0, unnamed.length - mostUnnamedKeys)
      tell(null, [...keys.filter(isNamed), ...unnamed.slice(0, mostUnnamedKeys)])
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
