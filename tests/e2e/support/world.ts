import type { Page } from '@playwright/test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKeyring, type Keyring } from '../../keyring/keyring.ts'
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/simulator.ts'
import { connectedAccount } from './connected-account.ts'
import { launchApp, type LaunchedApp, type LaunchOptions } from './launch.ts'

/** All that is around an app, and none of it anybody's own. */
export interface TestEnvironment {
  readonly service: Simulator
  /** `null` for a machine without a keychain. */
  readonly keyring: Keyring | null
  /** Where the app keeps its files; stays when the app is started again. */
  readonly userData: string
  /** What points an app at all of it. */
  readonly env: Readonly<Record<string, string>>
  readonly end: () => Promise<void>
}

export interface World extends Omit<TestEnvironment, 'env'> {
  /** The app that was started last. */
  readonly app: LaunchedApp
  /** Starts the app on the same user data, after `app.close()` or `app.kill()`; `env` goes to its environment. */
  readonly startAgain: (env?: Readonly<Record<string, string>>) => Promise<LaunchedApp>
}

export interface WorldOptions {
  /** `connected`: the app begins with the service's default account and an SSH key. None by default. */
  readonly account?: 'connected' | 'none'
  readonly service?: SimulatorOptions
  /** A real gnome-keyring by default. */
  readonly keychain?: 'unlocked' | 'locked' | 'absent'
  /** An SSH agent's; none by default. */
  readonly agentSocket?: string
  /** Changes the app's files, by its data folder, before its first start. */
  readonly prepare?: (userData: string) => Promise<void>
  /** Added to the app's environment. */
  readonly env?: Readonly<Record<string, string>>
  readonly display?: LaunchOptions['display']
  /** Shared with other tests where nothing is displayed; `own` for one that changes more of it than its page. */
  readonly browser?: LaunchOptions['browser']
}

/** A rental service with real machines, a real keychain, and a data folder that goes with them. */
export async function startTestEnvironment({
  account = 'none',
  service: options,
  keychain = 'unlocked',
  agentSocket = '',
}: Pick<WorldOptions, 'account' | 'service' | 'keychain' | 'agentSocket'> = {}): Promise<TestEnvironment> {
  const connected = account === 'connected' ? await connectedAccount() : null
  const ends: (() => Promise<void>)[] = []
  const end = async (): Promise<void> => {
    for (const step of ends.splice(0).reverse()) await step()
  }
  try {
    const userData = await mkdtemp(join(tmpdir(), 'slipway-e2e-'))
    // Chromium may still be writing when main has ended.
    ends.push(() => rm(userData, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
    await connected?.copyTo(userData)
    // ~/.ssh is a test's own, too, and a home is there on every computer.
    const home = join(userData, 'home')
    await mkdir(home, { recursive: true })
    const service = await startSimulator({ ...options, ...(connected && { port: connected.port }) })
    ends.push(() => service.close())
    const contents = connected?.keyringContents
    const keyring =
      keychain === 'absent' ? null : await startKeyring({ locked: keychain === 'locked', contents })
    if (keyring) ends.push(() => keyring.stop())
    const env = {
      HOME: home,
      DBUS_SESSION_BUS_ADDRESS: keyring?.env.DBUS_SESSION_BUS_ADDRESS ?? 'unix:path=/nonexistent',
      // No test may see the keys of whoever runs it.
      SSH_AUTH_SOCK: agentSocket,
    }
    return { service, keyring, userData, env, end }
  } catch (error) {
    await end()
    throw error
  }
}

/**
 * A test's address is lost until then: the router listens after its first page only. Looked at in each frame: a locator
 * is looked for at pauses of up to 500 ms.
 */
async function showsPage(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('#page > :not(#page-layer)') !== null)
}

/** The app in an environment of this test's own. */
export async function startWorld({
  prepare,
  env: ownEnv = {},
  display = 'none',
  browser = display === 'none' ? 'shared' : 'own',
  ...options
}: WorldOptions = {}): Promise<World> {
  const { service, keyring, userData, env: environment, end } = await startTestEnvironment(options)
  const launch = async (env: Readonly<Record<string, string>> = {}): Promise<LaunchedApp> => {
    const app = await launchApp({
      ...{ userData, display, browser, env: { ...environment, ...ownEnv, ...env } },
    })
    await showsPage(app.page)
    return app
  }
  try {
    await prepare?.(userData)
    let app = await launch()
    return {
      service,
      keyring,
      userData,
      get app() {
        return app
      },
      startAgain: async (env) => (app = await launch(env)),
      end: async () => {
        await app.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
