import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type KeychainBackend, KeychainLocked } from '../../../src-main/vault/keychain-backend.ts'
import { keytarReply, type KeytarReply, type KeytarRequest } from './keytar-messages.ts'

export interface KeytarProcess extends KeychainBackend {
  /** Rejects calls that are still under way. */
  readonly stop: () => Promise<void>
}

/**
 * The real keytar in a process of its own, as one run of the program has it: libsecret reads its environment
 * once and keeps its connection for as long as the process lives.
 */
export function startKeytarProcess(env: Readonly<Record<string, string>>): KeytarProcess {
  const child = fork(fileURLToPath(new URL('keytar-child.ts', import.meta.url)), {
    env: { PATH: process.env['PATH'], ...env },
  })
  const waiting = new Map<number, (reply: KeytarReply) => void>()
  let calls = 0
  child.on('message', (message) => {
    const reply = keytarReply.parse(message)
    waiting.get(reply.id)?.(reply)
    waiting.delete(reply.id)
  })
  child.once('exit', (code, signal) => {
    const message = `keytar's process ended (${signal ?? code ?? 'unknown'})`
    for (const [id, settle] of waiting) settle({ id, ok: false, locked: false, message })
  })

  const call = (request: Omit<KeytarRequest, 'id'>): Promise<string | boolean | null> =>
    new Promise((resolve, reject) => {
      calls += 1
      waiting.set(calls, (reply) => {
        if (reply.ok) resolve(reply.result)
        else reject(reply.locked ? new KeychainLocked(reply.message) : new Error(reply.message))
      })
      child.send({ ...request, id: calls })
    })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // A call that hangs would keep it from ending by itself.
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(stop)

  return {
    get: async (account) => {
      const result = await call({ call: 'get', account })
      return typeof result === 'boolean' ? null : result
    },
    set: async (account, value) => {
      await call({ call: 'set', account, value })
    },
    delete: async (account) => (await call({ call: 'delete', account })) === true,
    stop,
  }
}
