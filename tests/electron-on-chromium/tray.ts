import { EventEmitter } from 'node:events'
import { existsSync, rmSync, type FSWatcher } from 'node:fs'
import { join } from 'node:path'
import type Electron from 'electron'
import { app } from './app.ts'
import { showMenu, watchClicks, type DoubleMenu } from './menu.ts'

type Implemented = Pick<Electron.Tray, 'destroy' | 'isDestroyed' | 'setToolTip'>

/**
 * An icon that nobody sees: it is `tray.json` in the data folder for as long as it is there. What is written to
 * `click-tray` there is a label of its menu to click, or `icon` for the icon itself.
 *
 * `SLIPWAY_NO_TRAY=1` stands for a desktop that refuses one.
 */
export class DoubleTray extends EventEmitter implements Implemented {
  #menu: DoubleMenu | null = null
  #toolTip = ''
  #isDestroyed = false
  readonly #clicker: FSWatcher

  constructor(image: string) {
    super()
    if (process.env['SLIPWAY_NO_TRAY'] === '1') throw new Error('This desktop has no place for an icon')
    if (!existsSync(image)) throw new Error(`Failed to load image from path '${image}'`)
    app.once('quit', () => this.destroy())
    this.#clicker = watchClicks('click-tray', (path) => {
      if (path[0] === 'icon') this.emit('click')
      else this.#menu?.click(path)
    })
  }

  setToolTip(toolTip: string): void {
    this.#toolTip = toolTip
    this.#show()
  }

  setContextMenu(menu: DoubleMenu | null): void {
    this.#menu = menu
    this.#show()
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  destroy(): void {
    this.#isDestroyed = true
    this.#clicker.close()
    rmSync(join(app.getPath('userData'), 'tray.json'), { force: true })
  }

  #show(): void {
    showMenu('tray.json', this.#menu, { toolTip: this.#toolTip })
  }
}
