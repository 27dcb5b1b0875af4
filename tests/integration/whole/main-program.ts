import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/message-port'
import type { ContractRouterClient } from '@orpc/contract'
import { createApp, type App, type FirstPage } from '../../../src-main/app/create-app.ts'
import type { AppDependencies } from '../../../src-main/app/dependencies.ts'
import { machineTimes, systemClock } from '../../../src-main/app/system-clock.ts'
import { bulkSerializer } from '#contract/bulk.ts'
import type { contract } from '#contract/contract.ts'
import { Latest } from '#domain/base/latest.ts'
import type { ProxyQuestion } from '#domain/workbench/proxy-login.ts'
import { mainPort } from '../../support/message-channel.ts'

export type Client = ContractRouterClient<typeof contract>

export interface MainOptions extends Partial<AppDependencies> {
  readonly userData: string
  readonly keychain: AppDependencies['keychain']
}

/** What a page has of main, and all that main sent to it. */
export interface Window {
  readonly client: Client
  /** For what no client of ours would send. */
  readonly port: MessagePort
  readonly received: readonly unknown[]
  readonly close: () => void
}

/** All of main but Electron, composed as it is in the app. */
export interface MainProgram {
  readonly app: App
  /** A page of the account; of the one in front when none is named. */
  readonly window: (id?: string | null, options?: { readonly isRecorded: boolean }) => Window
  /** Connects an account, and answers with a page of it. */
  readonly connect: (service: { readonly baseUrl: string; readonly key: string }) => Promise<Window>
}

/** Of a program that has no place for updates. */
const noUpdates: AppDependencies['updates'] = {
  source: () => ({ kind: 'none', why: 'not-configured' }),
  ask: () => Promise.resolve(false),
}

/** Starts it on what a run before has left in `userData` and in the keychain. */
export async function startMain(
  options: MainOptions,
  onFirstPage?: (first: FirstPage) => void,
): Promise<MainProgram> {
  const { homeFolder = join(options.userData, '..', 'home') } = options
  await mkdir(homeFolder, { recursive: true })
  const opened = (): Promise<'opened'> => Promise.resolve('opened')
  const from: AppDependencies = {
    fetch: globalThis.fetch,
    proxy: { question: new Latest<ProxyQuestion | null>(null), answer: () => undefined },
    clock: systemClock,
    machineTimes,
    random: Math.random,
    randomId: randomUUID,
    homeFolder,
    logFolder: join(options.userData, 'logs'),
    crashDumpFolder: join(options.userData, 'Crashpad'),
    umask: 0o022,
    machineScripts: join(import.meta.dirname, '../../../resources/machine'),
    programs: () => ({ openEditor: opened, openPort: opened, openPlainLink: opened }),
    hasEditor: () => false,
    trash: () => Promise.resolve(),
    chooseToUpload: () => Promise.resolve([]),
    chooseProject: () => Promise.resolve(null),
    ownEditor: { choose: () => Promise.resolve(null), start: () => Promise.resolve(false) },
    notifications: () => () => undefined,
    secrets: {
      clipboard: {
        writeSecret: () => Promise.resolve(),
        read: () => Promise.resolve(''),
        clear: () => undefined,
      },
      protectScreen: null,
      idleMs: () => 0,
      isLocked: () => false,
      chooseFile: () => Promise.resolve(null),
    },
    agentSocket: null,
    locale: {},
    systemLocale: () => 'en-US',
    updates: noUpdates,
    about: {
      version: '0.0.0',
      isDevelopment: true,
      electron: null,
      chrome: null,
      node: '0',
      platform: 'test',
      isSandboxOff: false,
    },
    loginItem: { read: () => Promise.resolve('not-installed'), set: () => Promise.resolve() },
    licenseFiles: { packages: join(options.userData, 'no-licenses.json'), chromium: [] },
    showInFolder: () => undefined,
    quit: () => undefined,
    ...options,
  }
  const app = await createApp(from, onFirstPage)

  function window(
    id: string | null = app.accountPages.value.front,
    { isRecorded } = { isRecorded: true },
  ): Window {
    const { port1, port2 } = new MessageChannel()
    const received: unknown[] = []
    app.servePort(
      id,
      { kind: 'calls' },
      {
        ...mainPort(port1),
        postMessage: (value) => {
          if (isRecorded) received.push(value)
          port1.postMessage(value)
        },
      },
    )
    port2.start()
    const client: Client = createORPCClient(
      new RPCLink({ port: port2, customJsonSerializers: [bulkSerializer] }),
    )
    return { client, port: port2, received, close: () => port2.close() }
  }

  return {
    app,
    window,
    connect: async ({ baseUrl, key }) => {
      const first = window()
      await first.client.accounts.connect({ serviceAddress: baseUrl, apiKey: key, keepIn: 'keychain' })
      first.close()
      return window()
    },
  }
}
