import { type ChildProcess, type Serializable, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { Rectangle } from 'electron'
import { build } from 'vite'
import { z } from 'zod'

const top = join(import.meta.dirname, '..', '..', '..')
const deadlineMs = 60_000

/** What the fixture can be asked to do with its window; `close-page` and `remove-page` name one of its pages. */
export type Wish =
  | 'look'
  | 'maximize'
  | 'unmaximize'
  | 'minimize'
  | 'restore'
  | 'enter-full-screen'
  | 'leave-full-screen'
  | 'add-page'
  | 'close-page'
  | 'remove-page'
  | 'close-window'
  | 'hold-window'

/** How the fixture's window and its pages are. */
export interface WindowStand {
  readonly size: { readonly width: number; readonly height: number }
  readonly content: { readonly width: number; readonly height: number }
  readonly views: readonly Rectangle[]
  readonly arePagesThere: readonly boolean[]
  readonly isVisible: boolean
  readonly isMaximized: boolean
  readonly isMinimized: boolean
  readonly isFullScreen: boolean
  /** To `closed`, `resize` and `show` of the window. */
  readonly listeners: readonly number[]
}

export interface FixtureApp {
  readonly userData: string
  readonly pid: number
  readonly page: Page
  /** What the fixture has noted (fixture/main.ts), and waits until a line with `text` is among it. */
  readonly sees: (text: string) => Promise<void>
  readonly events: () => Promise<string>
  /** Of links that would have been opened in the browser. */
  readonly openedLinks: () => Promise<string>
  /** What each page was made with, as JSON, a page a line. */
  readonly webPreferences: () => Promise<string>
  /** What each page may use of the network for WebRTC, a page a line. */
  readonly webRtcPolicies: () => Promise<string>
  /** Does it, and answers with how the window is then; `null` once it is closed. */
  readonly ask: (wish: Wish, page?: number) => Promise<WindowStand | null>
  /** Resolves with the exit code, or the signal, of main. */
  readonly ended: Promise<number | string | null>
  readonly signal: (signal: NodeJS.Signals) => void
  readonly close: () => Promise<void>
}

/** Builds the preload script as electron-vite does, into a folder of its own. */
export async function buildPreload(): Promise<{
  readonly path: string
  readonly remove: () => Promise<void>
}> {
  const outDir = await mkdtemp(join(tmpdir(), 'slipway-preload-'))
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      lib: { entry: join(top, 'src-main', 'preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
      rolldownOptions: { external: ['electron'] },
    },
  })
  return {
    path: join(outDir, 'preload.cjs'),
    remove: () => rm(outDir, { recursive: true, force: true }),
  }
}

/** The double, run by the Node that runs this, with the fixture as its main. */
export function spawnFixture(preload: string, userData: string): ChildProcess {
  const fixture = join(import.meta.dirname, 'fixture', 'main.ts')
  const register = join(top, 'tests', 'electron-on-chromium', 'register.ts')
  return spawn(process.execPath, ['--import', register, fixture], {
    env: {
      ...process.env,
      SLIPWAY_HEADLESS: '1',
      SLIPWAY_CDP_PORT: '0',
      SLIPWAY_USER_DATA: userData,
      FIXTURE_PRELOAD: preload,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

let lastAsked = 0

function ask(main: ChildProcess, wish: Wish, page = 0): Promise<WindowStand | null> {
  const id = ++lastAsked
  return new Promise((resolve) => {
    const heard = (message: Serializable): void => {
      if (typeof message !== 'object' || !('id' in message) || message.id !== id) return
      main.off('message', heard)
      resolve((message as unknown as { readonly stand: WindowStand | null }).stand)
    }
    main.on('message', heard)
    main.send({ id, wish, page })
  })
}

/** @param files what the data folder has at the start, by their names */
export async function startFixture(
  preload: string,
  files: Readonly<Record<string, string>> = {},
): Promise<FixtureApp> {
  const userData = await mkdtemp(join(tmpdir(), 'slipway-fixture-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(userData, name), text)
  const main = spawnFixture(preload, userData)
  const ended = once(main, 'exit').then(([code, signal]) =>
    z.union([z.number(), z.string(), z.null()]).parse(code ?? signal),
  )
  const read = (name: string): Promise<string> => readFile(join(userData, name), 'utf8').catch(() => '')
  const sees = async (text: string): Promise<void> => {
    for (let waitedMs = 0; waitedMs < deadlineMs; waitedMs += 20) {
      if ((await read('events.txt')).includes(text)) return
      await sleep(20)
    }
    throw new Error(`"${text}" is not among:\n${await read('events.txt')}`)
  }
  let browser: Browser | null = null
  const close = async (): Promise<void> => {
    main.kill()
    await ended
    await browser?.close()
    await rm(userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    await sees('loaded')
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(await read('cdp.json')))
    browser = await chromium.connectOverCDP(url)
    const page = browser.contexts()[0]?.pages()[0]
    if (page === undefined || main.pid === undefined) throw new Error('The fixture has no page')
    return {
      userData,
      pid: main.pid,
      page,
      sees,
      events: () => read('events.txt'),
      openedLinks: () => read('opened-links.txt'),
      webPreferences: () => read('web-preferences.txt'),
      webRtcPolicies: () => read('webrtc-policies.txt'),
      ask: (wish, at) => ask(main, wish, at),
      ended,
      signal: (signal) => void main.kill(signal),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
