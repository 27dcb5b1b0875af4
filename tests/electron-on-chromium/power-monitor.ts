import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { shutDown, system } from './system.ts'
import { watchFile } from './watched-file.ts'

type Implemented = Pick<Electron.PowerMonitor, 'getSystemIdleState' | 'getSystemIdleTime'>

const file = 'power-events'
/** The events that not every system has, and those that have them, by Electron's typings. */
const platformsOf: Readonly<Partial<Record<string, readonly NodeJS.Platform[]>>> = {
  'lock-screen': ['darwin', 'win32'],
  'unlock-screen': ['darwin', 'win32'],
  shutdown: ['darwin', 'linux'],
}
let watcher: FSWatcher | null = null
let told = 0

/**
 * Sees nothing of the system. Each line that is appended to `power-events` in the data folder is an event of this
 * name (`suspend`, `lock-screen`, …); `idle 600` says for how many seconds nobody has touched the computer. An event
 * that this system never tells cannot be listened to: with Electron one would wait for it in vain.
 */
export class DoublePowerMonitor extends EventEmitter implements Implemented {
  #idleSeconds = 0
  #isLocked = false
  /** Electron looks who listens to it from the second listener on: a shutdown that is the first is never told. */
  #delaysShutdown = false
  #hasListeners = false

  constructor() {
    super()
    this.on('newListener', (event) => {
      if (typeof event === 'string' && platformsOf[event]?.includes(system.platform) === false)
        throw new Error(`powerMonitor never tells "${event}" on ${system.platform}`)
      if (this.#hasListeners && event === 'shutdown') this.#delaysShutdown = true
      this.#hasListeners = true
      watcher ??= this.#watch(app.getPath('userData'))
    })
  }

  getSystemIdleState(idleThreshold: number): ReturnType<Electron.PowerMonitor['getSystemIdleState']> {
    if (this.#isLocked) return 'locked'
    return this.#idleSeconds >= idleThreshold ? 'idle' : 'active'
  }

  getSystemIdleTime(): number {
    return this.#idleSeconds
  }

  /** What a line of the file says. */
  tell(line: string): void {
    const [name = '', seconds] = line.split(' ')
    if (name === 'idle') this.#idleSeconds = Number(seconds)
    else if (name === 'shutdown') shutDown(this.#delaysShutdown || system.platform !== 'linux' ? this : null)
    else {
      if (name === 'lock-screen') this.#isLocked = true
      if (name === 'unlock-screen') this.#isLocked = false
      if (platformsOf[name]?.includes(system.platform) !== false) this.emit(name, {})
    }
  }

  #watch(folder: string): FSWatcher {
    mkdirSync(folder, { recursive: true })
    // What was told to a run before is over.
    told = linesOf(join(folder, file)).length
    return watchFile(folder, file, () => {
      const lines = linesOf(join(folder, file))
      for (const line of lines.slice(told)) this.tell(line)
      told = lines.length
    })
  }
}

function linesOf(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
}

export const powerMonitor = new DoublePowerMonitor()
