import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp, type App, type Surroundings } from '../../../src-main/app.ts'
import { bulkSerializer } from '../../../src-main/contract/bulk.ts'
import type { contract } from '../../../src-main/contract/contract.ts'
import type { VaultAccount } from '../../../src-main/domain/vault-view.ts'
import { machineTimes } from '../../../src-main/machine-times.ts'
import { openVault } from '../../../src-main/open-vault.ts'
import { systemClock } from '../../../src-main/system-clock.ts'
import { memoryLog } from '../../support/memory-log.ts'
import { keyringForTest, userDataForTest } from '../vault/run-of-slipway.ts'
import { startKeytarProcess } from '../vault/keytar-process.ts'
import { noUpdates } from '../../support/no-updates.ts'

export type Client = ContractRouterClient<typeof contract>

/** The whole program but its windows, on a real keyring, and the calls that a page would make. */
export interface Program {
  readonly app: App
  readonly userData: string
  /** The calls of the page that is for this account; `null`: for none. */
  readonly pageFor: (id: string | null) => Client
  /** An entry of the keychain under its name; `null` when there is none. */
  readonly keychainEntry: (name: string) => Promise<string | null>
}

/** @param enrolled accounts of which an earlier run keeps a one-time password, under the label that is given */
export async function startProgram(
  enrolled: readonly { readonly account: VaultAccount; readonly label: string }[],
): Promise<Program> {
  const { env } = await keyringForTest()
  const userData = await userDataForTest()
  const surroundings = surroundingsOf(userData, env)
  for (const one of enrolled) await enrol(surroundings, one)
  const app = await createApp(surroundings)
  onTestFinished(() => app.dispose())

  function pageFor(id: string | null): Client {
    const { port1, port2 } = new MessageChannel()
    onTestFinished(() => port1.close())
    app.servePort(
      id,
      { kind: 'calls' },
      {
        postMessage: (value) => port1.postMessage(value),
        on: (event: string, listener: (event: { data: unknown }) => void) =>
          port1.addEventListener(event, (received) => listener({ data: Reflect.get(received, 'data') })),
        start: () => port1.start(),
        close: () => port1.close(),
      },
    )
    port2.start()
    return createORPCClient(new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }))
  }
  const keychainEntry = async (name: string): Promise<string | null> => {
    const value = await surroundings.keychain.get(name)
    return value === null ? null : Buffer.from(value.slice('v1.'.length), 'base64url').toString()
  }
  return { app, userData, pageFor, keychainEntry }
}

function surroundingsOf(userData: string, env: Readonly<Record<string, string>>): Surroundings {
  const opened = () => Promise.resolve('opened' as const)
  return {
    keychain: startKeytarProcess(env),
    fetch: globalThis.fetch,
    clock: systemClock,
    machineTimes,
    random: Math.random,
    randomId: randomUUID,
    userData,
    homeFolder: join(userData, 'home'),
    programs: () => ({ openVsCode: opened, openPort: opened, openPlainLink: opened }),
    trash: () => Promise.resolve(),
    chooseToUpload: () => Promise.resolve([]),
    showNotification: () => undefined,
    secrets: {
      clipboard: {
        writeSecret: () => Promise.resolve(),
        read: () => Promise.resolve(''),
        clear: () => undefined,
      },
      protectScreen: null,
      idleMs: () => 0,
      chooseFile: () => Promise.resolve(null),
    },
    agentSocket: null,
    updates: noUpdates,
    about: { version: '0', electron: '0', chrome: '0', node: '0', platform: 'linux' },
    showInFolder: () => undefined,
    quit: () => undefined,
  }
}

async function enrol(
  surroundings: Surroundings,
  { account, label }: { readonly account: VaultAccount; readonly label: string },
): Promise<void> {
  const ending = new AbortController()
  const { vault } = await openVault({
    surroundings,
    file: (name) => ({
      path: join(surroundings.userData, name),
      clock: systemClock,
      onCorrupt: ({ detail }) => {
        throw new Error(detail)
      },
    }),
    remember: () => undefined,
    log: memoryLog(),
    signal: ending.signal,
  })
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const uri = `otpauth://totp/Rental:ada?secret=${secret}`
  const { id } = await vault.totp.addPending({ account, uri, secret, label, keepIn: 'keychain' })
  await vault.totp.activate(id, 1)
  ending.abort()
}

/** What a watch pushes first that is wanted. */
export async function firstOf<T>(
  watch: (input: undefined, options: { readonly signal: AbortSignal }) => Promise<AsyncIterable<T>>,
  isWanted: (value: T) => boolean = () => true,
): Promise<T> {
  const leaving = new AbortController()
  try {
    for await (const value of await watch(undefined, { signal: leaving.signal }))
      if (isWanted(value)) return value
  } finally {
    leaving.abort()
  }
  throw new Error('The watch ended')
}
