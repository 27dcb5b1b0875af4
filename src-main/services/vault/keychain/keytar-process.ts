import { type KeychainBackend, KeychainLocked, KeychainOutlived } from './keychain-backend.ts'
import { keytarReply, type KeytarReply, type KeytarRequest } from './keytar-messages.ts'

/** A process that answers `KeytarRequest`s with `KeytarReply`s. */
export interface KeytarHost {
  readonly send: (request: KeytarRequest) => void
  /** Everything that it says. */
  readonly onMessage: (listen: (message: unknown) => void) => void
  /** Resolves with how it ended. */
  readonly ended: Promise<string>
  readonly kill: () => void
}

export interface KeytarProcessOptions {
  /** @throws when there can be no such process */
  readonly start: () => Promise<KeytarHost>
  /** The library in this process, where it can have none of its own. */
  readonly inPlace: () => Promise<KeychainBackend>
  readonly onFailure: (error: unknown) => void
}

type Order = Omit<KeytarRequest, 'id'>
type Ask = (order: Order) => Promise<string | boolean | null>

/**
 * The keychain by way of a process of its own. libsecret keeps the connection that it met first for as long as its
 * process lives, and ends that process together with the bus: here the next call begins with a new one.
 */
export function createKeytarProcess({ start, inPlace, onFailure }: KeytarProcessOptions): KeychainBackend {
  let current: Promise<Ask> | null = null

  async function begin(): Promise<Ask> {
    let host: KeytarHost
    try {
      host = await start()
    } catch (error) {
      onFailure(error)
      const backend = await inPlace()
      return async ({ call, account, value }) =>
        (await (call === 'set' ? backend.set(account, value ?? '') : backend[call](account))) ?? null
    }
    return askOf(host)
  }

  /** Each call comes to the same however often it is done, so that one that met the end of a process is done again. */
  async function call(order: Order, isRepeated = false): Promise<string | boolean | null> {
    const used = (current ??= begin())
    const ask = await used
    try {
      return await ask(order)
    } catch (error) {
      if (!(error instanceof KeychainOutlived)) throw error
      if (current === used) current = null
      if (isRepeated) throw error
      return call(order, true)
    }
  }

  return {
    get: async (account) => {
      const result = await call({ call: 'get', account })
      return typeof result === 'boolean' ? null : result
    },
    set: async (account, value) => {
      await call({ call: 'set', account, value })
    },
    delete: async (account) => (await call({ call: 'delete', account })) === true,
  }
}

/** Asks one process, until it ends or knows the keychain no more. */
export function askOf(host: KeytarHost): Ask {
  const waiting = new Map<number, (reply: KeytarReply) => void>()
  let calls = 0
  let end: string | null = null
  host.onMessage((message) => {
    const reply = keytarReply.parse(message)
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
    if (!reply.ok && reply.why === 'outlived') host.kill()
  })
  void host.ended.then((how) => {
    end = `The keychain's process ended (${how}).`
    for (const [id, settle] of waiting) settle({ id, ok: false, why: 'outlived', message: end })
    waiting.clear()
  })
  return (order) =>
    new Promise((resolve, reject) => {
      if (end !== null) return reject(new KeychainOutlived(end))
      calls += 1
      waiting.set(calls, (reply) => (reply.ok ? resolve(reply.result) : reject(errorOf(reply))))
      host.send({ ...order, id: calls })
    })
}

function errorOf({ why, message }: Extract<KeytarReply, { ok: false }>): Error {
  switch (why) {
    case 'locked':
      return new KeychainLocked(message)
    case 'outlived':
      return new KeychainOutlived(message)
    case 'other':
      return new Error(message)
  }
}
