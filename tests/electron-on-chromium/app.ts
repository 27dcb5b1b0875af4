import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from 'electron'
import { DoubleBaseWindow, windowEvents } from './base-window.ts'
import { launchChromium } from './chromium.ts'
import { commandLine, recordSwitches } from './command-line.ts'
import { Preventable } from './prevention.ts'
import { program } from './program.ts'
import { lockUserData } from './single-instance.ts'
import { chromium, keepDataIn, pageServer, report, setChromium } from './state.ts'

type Implemented = Pick<
  App,
  | 'exit'
  | 'getAppPath'
  | 'getApplicationNameForProtocol'
  | 'getName'
  | 'getPath'
  | 'getSystemLocale'
  | 'getVersion'
  | 'hasSingleInstanceLock'
  | 'isPackaged'
  | 'isReady'
  | 'quit'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setAppLogsPath'
  | 'setAppUserModelId'
  | 'setAsDefaultProtocolClient'
  | 'setDesktopName'
  | 'setName'
  | 'setPath'
  | 'whenReady'
>
type PathName = Parameters<App['getPath']>[0]

const browserEndMs = 3000

class DoubleApp extends EventEmitter implements Implemented {
  /** A test may want the app as its users have it. */
  readonly isPackaged = process.env['SLIPWAY_PACKAGED'] === '1'
  readonly commandLine = commandLine
  readonly #paths = new Map<string, string>()
  #name = manifest().productName
  readonly #ready: Promise<void>
  #isReady = false
  #isQuitting = false
  #isExiting = false
  #unlock: (() => void) | null = null

  constructor() {
    super()
    // As in Electron, what main does at once comes before anything starts: the data folder, the lock.
    this.#ready = new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#start())
    this.#ready.catch((error: unknown) => {
      report(error)
      this.exit(1)
    })
    windowEvents.on('all-closed', () => {
      if (this.#isQuitting) this.#willQuit()
      else if (!this.emit('window-all-closed')) this.quit()
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => this.quit())
  }

  whenReady(): Promise<void> {
    return this.#ready
  }

  isReady(): boolean {
    return this.#isReady
  }

  getName(): string {
    return this.#name
  }

  /** Folders that were not set follow it, as in Electron. */
  setName(name: string): void {
    this.#name = name
  }

  /** Nothing goes by these: Chromium's window has names of its own. */
  setDesktopName(): void {}
  setAppUserModelId(): void {}

  getVersion(): string {
    return manifest().version
  }

  /** What ICU takes from the environment, as in Electron on Linux. */
  getSystemLocale(): string {
    return new Intl.NumberFormat().resolvedOptions().locale
  }

  getAppPath(): string {
    return program.folder
  }

  getPath(name: PathName): string {
    const set = this.#paths.get(name)
    if (set !== undefined) return set
    switch (name) {
      case 'home':
        return homedir()
      case 'temp':
        return tmpdir()
      case 'appData':
        return process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
      case 'userData':
        return made(join(this.getPath('appData'), this.getName()))
      case 'sessionData':
        return this.getPath('userData')
      case 'logs':
        return made(
          process.platform === 'darwin'
            ? join(homedir(), 'Library', 'Logs', this.getName())
            : join(this.getPath('userData'), 'logs'),
        )
      case 'crashDumps':
        return made(join(this.getPath('userData'), 'Crashpad'))
      default:
        throw new Error(`This double does not know the path "${name}"`)
    }
  }

  /** @throws Error, as Electron says, when there is no such folder */
  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path: there is no ${path}`)
    this.#paths.set(name, path)
  }

  setAppLogsPath(path?: string): void {
    this.#paths.delete('logs')
    this.#paths.set('logs', path === undefined ? this.getPath('logs') : made(path))
  }

  requestSingleInstanceLock(): boolean {
    this.#unlock ??= lockUserData(this.getPath('userData'), ({ argv, cwd }) => {
      this.emit('second-instance', {}, argv, cwd, {})
    })
    return this.hasSingleInstanceLock()
  }

  hasSingleInstanceLock(): boolean {
    return this.#unlock !== null
  }

  releaseSingleInstanceLock(): void {
    this.#unlock?.()
    this.#unlock = null
  }

  /** A program for each scheme that stands in `registered-schemes` of the data folder, one a line. */
  getApplicationNameForProtocol(url: string): string {
    const file = join(this.getPath('userData'), 'registered-schemes')
    const schemes = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    const scheme = new URL(url).protocol.slice(0, -1)
    return schemes.includes(scheme) ? `${scheme}.desktop` : ''
  }

  /** Nothing is registered: the system is not the double's. */
  setAsDefaultProtocolClient(): boolean {
    return false
  }

  quit(): void {
    if (this.#isQuitting || this.#isExiting) return
    const event = new Preventable()
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    const windows = DoubleBaseWindow.getAllWindows()
    this.#isQuitting = true
    for (const window of windows) window.close()
    if (windows.length === 0) this.#willQuit()
    else if (DoubleBaseWindow.getAllWindows().length > 0) this.#isQuitting = false
  }

  exit(code = 0): void {
    if (this.#isExiting) return
    this.#isExiting = true
    for (const window of DoubleBaseWindow.getAllWindows()) window.destroy()
    void this.#end(code)
  }

  #willQuit(): void {
    const event = new Preventable()
    this.emit('will-quit', event)
    if (event.defaultPrevented) this.#isQuitting = false
    else this.exit(0)
  }

  async #start(): Promise<void> {
    if (this.#isQuitting || this.#isExiting) return
    recordSwitches(this.getPath('userData'))
    await pageServer.listen()
    const started = await launchChromium(this.getPath('userData'), { origin: pageServer.origin, report })
    setChromium(started)
    // Chromium was closed, or has died, before there was a window to tell about it.
    started.context.on('close', () => {
      if (DoubleBaseWindow.getAllWindows().length === 0) this.quit()
    })
    this.#isReady = true
    this.emit('ready')
  }

  async #end(code: number): Promise<void> {
    this.emit('quit', {}, code)
    pageServer.close()
    // All that the app does has ended; the browser is the double's own.
    this.releaseSingleInstanceLock()
    if (this.#isReady)
      await Promise.race([
        chromium().context.close().catch(report),
        sleep(browserEndMs, undefined, { ref: false }),
      ])
    process.exit(code)
  }
}

/** Electron makes the folders of the app when they are asked for. */
function made(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

function manifest(): { productName: string; version: string } {
  const { productName, version } = JSON.parse(readFileSync(join(program.folder, 'package.json'), 'utf8'))
  return { productName: String(productName), version: String(version) }
}

export const app = new DoubleApp()
keepDataIn(() => app.getPath('userData'))
