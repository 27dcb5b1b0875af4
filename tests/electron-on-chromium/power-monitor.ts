import { EventEmitter } from 'node:events'
import { mkdirSync, readFileSync, watch, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'

const file = 'power-events'
let watcher: FSWatcher | null = null
let told = 0
let idleSeconds = 0

/**
 * Sees nothing of the system. Each line that is appended to `power-events` in the data folder is an event of this
 * name (`suspend`, `lock-screen`, …); `idle 600` says for how many seconds nobody has touched the computer. That the
 * system shuts down reaches the double as a signal.
 */
class DoublePowerMonitor extends EventEmitter implements Pick<Electron.PowerMonitor, 'getSystemIdleTime'> {
  constructor() {
    super()
    this.once('newListener', () => {
      const folder = app.getPath('userData')
      mkdirSync(folder, { recursive: true })
      watcher ??= watch(folder, (_event, name) => {
        if (name === file) this.#tell(readFileSync(join(folder, file), 'utf8'))
      }).unref()
    })
  }

  getSystemIdleTime(): number {
    return idleSeconds
  }

  #tell(text: string): void {
    const lines = text.split('\n').slice(0, -1)
    for (const line of lines.slice(told)) {
      const [name = '', seconds] = line.split(' ')
      if (name === 'idle') idleSeconds = Number(seconds)
      else this.emit(name)
    }
    told = lines.length
  }
}

export const powerMonitor = new DoublePowerMonitor()
