import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  _electron,
  type BrowserContext,
  chromium,
  type ElectronApplication,
  type Page,
} from '@playwright/test'
import { z } from 'zod'
import { ensureBuilt, launchCommand } from '../../../tools/launch.mjs'
import { startBrowser } from '../../electron-on-chromium/chromium.ts'
import { standInForDesktop } from './electron-desktop.ts'

export interface LaunchOptions {
  /** The app's data folder; one app at a time may use it. */
  readonly userData: string
  /** `app`: it isn't told of `userData`, and should come to it by itself. */
  readonly userDataFrom?: 'test' | 'app'
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** `window` shows it where there is a display; Electron always shows it. */
  readonly display?: 'window' | 'none'
  /** Further ones of the command line. */
  readonly args?: readonly string[]
  /** Another program than Slipway, for the same host. */
  readonly folder?: string
  /** `shared`: of all apps that this process starts so, one after the other. One of its own by default. */
  readonly browser?: 'shared' | 'own'
}

export interface LaunchedApp {
  readonly host: 'electron' | 'chromium'
  /** The window's page, loaded. */
  readonly page: Page
  /** Of main. */
  readonly pid: number
  /** Resolves when main has ended, for whatever reason: with its exit code, or the signal that killed it. */
  readonly ended: Promise<number | string>
  /** What main and its host have printed. */
  readonly logs: () => string
  /** Quits as the user does, and waits for the end. */
  readonly close: () => Promise<void>
  /** As the system tells it; `idleSeconds` is since when nobody has touched the computer. */
  readonly power: (event: PowerEvent) => Promise<void>
  /** Chooses an item of the menu bar, by its labels. */
  readonly menu: (...labels: readonly string[]) => Promise<void>
  /** Starts the app once more on the same data, with these arguments: it hands them over and ends. */
  readonly startSecond: (...args: readonly string[]) => Promise<void>
  /** Ends main with SIGKILL, as a crash does, and waits for the end. */
  readonly kill: () => Promise<void>
}

export type PowerEvent =
  'suspend' | 'resume' | 'lock-screen' | 'unlock-screen' | 'shutdown' | { readonly idleSeconds: number }

const startDeadlineMs = 90_000
const endDeadlineMs = 45_000

/** Starts the built app on its real host, or on Chromium where that is missing, with a way to its page. */
export async function launchApp(options: LaunchOptions): Promise<LaunchedApp> {
  await ensureBuilt()
  const { host, command, args: own, env } = launchCommand(options.folder)
  const args = [...own, ...(options.args ?? [])]
  const environment = { ...environmentOf(options), ...env }
  return host === 'electron'
    ? launchElectron(command, args, environment, options.userData)
    : launchOnChromium(command, args, environment, options)
}

function environmentOf({
  userData,
  userDataFrom = 'test',
  env,
  display = 'none',
}: LaunchOptions): Record<string, string> {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return {
    ...Object.fromEntries(own),
    SLIPWAY_CDP_PORT: '0',
    ...(display === 'none' && { SLIPWAY_HEADLESS: '1' }),
    ...env,
    SLIPWAY_USER_DATA: userDataFrom === 'test' ? userData : '',
  }
}

async function launchElectron(
  executablePath: string,
  args: string[],
  env: Record<string, string>,
  userData: string,
): Promise<LaunchedApp> {
  const app = await _electron.launch({ executablePath, args, env })
  const main = watch(app.process())
  await standInForDesktop(app, userData)
  const page = await app.firstWindow()
  await page.waitForLoadState()
  return {
    host: 'electron',
    page,
    power: (event) => powerOfElectron(app, event),
    menu: (...labels) => menuOfElectron(app, labels),
    startSecond: (...more) => startSecond(executablePath, [...args, ...more], env),
    ...main,
  }
}

async function launchOnChromium(
  command: string,
  args: string[],
  ownEnv: Record<string, string>,
  { userData, browser = 'own' }: LaunchOptions,
): Promise<LaunchedApp> {
  const shared = browser === 'shared' ? await sharedBrowser() : null
  const env = { ...ownEnv, ...(shared && { SLIPWAY_BROWSER: shared.url }) }
  const cdpFile = join(userData, 'cdp.json')
  await rm(cdpFile, { force: true })
  const main = watch(spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  try {
    const { url, origin } = await readCdpFile(cdpFile, main)
    const context = shared?.context ?? (await chromium.connectOverCDP(url)).contexts()[0]
    if (context === undefined) throw new Error('Chromium has no pages')
    const page = await firstPageOf(context, origin)
    if (shared) refuseClock(page)
    const power = (event: PowerEvent): Promise<void> => {
      const line = typeof event === 'string' ? event : `idle ${event.idleSeconds}`
      return appendFile(join(userData, 'power-events'), `${line}\n`)
    }
    return {
      host: 'chromium',
      page,
      power,
      menu: (...labels) => writeFile(join(userData, 'click-menu'), labels.join('/')),
      startSecond: (...more) => startSecond(command, [...args, ...more], env),
      ...main,
    }
  } catch (error) {
    await main.kill()
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`Slipway did not start: ${why}\nIt printed:\n${main.logs()}`, { cause: error })
  }
}

async function powerOfElectron(app: ElectronApplication, event: PowerEvent): Promise<void> {
  await app.evaluate(({ powerMonitor }, told) => {
    if (typeof told !== 'string') powerMonitor.getSystemIdleTime = () => told.idleSeconds
    else if (process.platform === 'linux' && told.endsWith('lock-screen'))
      powerMonitor.getSystemIdleState = () => (told === 'lock-screen' ? 'locked' : 'active')
    else powerMonitor.emit(told, { preventDefault: () => undefined })
  }, event)
}

async function menuOfElectron(app: ElectronApplication, labels: readonly string[]): Promise<void> {
  await app.evaluate(({ Menu }, path) => {
    let items = Menu.getApplicationMenu()?.items ?? []
    for (const [at, label] of path.entries()) {
      const item = items.find((one) => one.label === label)
      if (item === undefined) throw new Error(`The menu has no item ${label}`)
      if (at === path.length - 1) Reflect.apply(item.click, item, [])
      items = item.submenu?.items ?? []
    }
  }, labels)
}

async function startSecond(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  await once(spawn(command, args, { env, stdio: 'ignore' }), 'exit')
}

type Main = Omit<LaunchedApp, 'host' | 'page' | 'power' | 'menu' | 'startSecond'>

function watch(process: ChildProcess): Main {
  const { pid } = process
  if (pid === undefined) throw new Error('Slipway could not be started')
  const printed: string[] = []
  process.stdout?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  process.stderr?.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  const ended = new Promise<number | string>((resolve) => {
    process.once('exit', (code, signal) => resolve(code ?? String(signal)))
  })
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    process.kill(signal)
    const late = sleep(endDeadlineMs, 'late', { ref: false })
    if ((await Promise.race([ended, late])) !== 'late') return
    process.kill('SIGKILL')
    throw new Error(
      `Slipway had not ended ${endDeadlineMs} ms after ${signal}. It printed:\n${printed.join('')}`,
    )
  }
  return {
    pid,
    ended,
    logs: () => printed.join(''),
    close: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** What is seen of it here are the pages of all apps in it. */
function sharedBrowser(): Promise<{ readonly context: BrowserContext; readonly url: string }> {
  running ??= startSharedBrowser()
  return running
}

let running: ReturnType<typeof sharedBrowser> | undefined

async function startSharedBrowser(): ReturnType<typeof sharedBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'slipway-browser-'))
  process.once('exit', () => rmSync(profile, { recursive: true, force: true }))
  const { context, url } = await startBrowser(profile, { headless: true, cdpPort: '0' })
  if (url === null) throw new Error('Chromium has no debugging port')
  return { context, url }
}

/** Playwright's clock is that of all pages of a browser, also of those that come later. */
function refuseClock(page: Page): void {
  Object.defineProperty(page, 'clock', {
    get() {
      throw new Error('A test that sets the clock has a browser of its own: `browser: own`')
    },
  })
}

/** The page of an app, loaded. */
async function firstPageOf(context: BrowserContext, origin: string): Promise<Page> {
  const isOwn = (page: Page): boolean => page.url().startsWith(`${origin}/`)
  const late = Date.now() + startDeadlineMs
  while (Date.now() < late) {
    const page = context.pages().find(isOwn)
    if (page !== undefined) {
      // Not before its load, which `goto` waits for, too: what is pressed until then is lost.
      await page.waitForLoadState()
      return page
    }
    await sleep(20)
  }
  throw new Error(`No page of ${origin} after ${startDeadlineMs} ms`)
}

const cdpFileContent = z.object({ url: z.url(), origin: z.url() })

async function readCdpFile(file: string, { ended }: Main): Promise<z.infer<typeof cdpFileContent>> {
  const gone = ended.then((how) => ({ how }))
  for (let waitedMs = 0; waitedMs < startDeadlineMs; waitedMs += 50) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return cdpFileContent.parse(JSON.parse(text))
    const end = await Promise.race([gone, sleep(50)])
    if (end) throw new Error(`Main has ended (${end.how})`)
  }
  throw new Error(`No ${file} after ${startDeadlineMs} ms`)
}
