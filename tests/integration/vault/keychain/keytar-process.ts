import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { KeychainBackend } from '#services/vault/keychain/keychain-backend.ts'
import { installed } from '../../../../src-main/desktop/app-identity.ts'
import { askOf } from '#services/vault/keychain/keytar-process.ts'

export interface KeytarProcess extends KeychainBackend {
  /** Rejects calls that are still under way. */
  readonly stop: () => Promise<void>
}

/**
 * The real keytar in a process of its own, as one run of the program has it: libsecret reads its environment
 * once and keeps its connection for as long as the process lives.
 *
 * @param service under which its entries are
 */
export function startKeytarProcess(
  env: Readonly<Record<string, string>>,
  service: string = installed.name,
): KeytarProcess {
  const child = fork(fileURLToPath(new URL('keytar-child.ts', import.meta.url)), [service], {
    env: { PATH: process.env['PATH'], ...env },
  })
  const ask = askOf({
    send: (request) => child.send(request),
    onMessage: (listen) => void child.on('message', listen),
    ended: once(child, 'exit').then(([code, signal]) => String(signal ?? code)),
    // As one run of the program has it: it goes on with what it has.
    kill: () => undefined,
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
      const result = await ask({ call: 'get', account })
      return typeof result === 'boolean' ? null : result
    },
    set: async (account, value) => {
      await ask({ call: 'set', account, value })
    },
    delete: async (account) => (await ask({ call: 'delete', account })) === true,
    stop,
  }
}
