import { appendFileSync } from 'node:fs'
import type { WebContentsViewConstructorOptions } from 'electron'
import { dataFile } from './state.ts'
import { DoubleView } from './view.ts'
import { DoubleWebContents } from './web-contents.ts'

/**
 * A page that fills Chromium's window, whatever bounds it is given. What it was made with is written to
 * `web-preferences.txt` in the data folder, as JSON, a page a line.
 */
export class DoubleWebContentsView extends DoubleView {
  readonly #webContents: DoubleWebContents

  constructor({ webPreferences }: WebContentsViewConstructorOptions = {}) {
    super()
    const line = `${JSON.stringify(webPreferences ?? {})}\n`
    appendFileSync(dataFile('web-preferences.txt'), line)
    this.#webContents = new DoubleWebContents(webPreferences?.preload)
  }

  /** As in Electron, `undefined` once it is destroyed, whatever the typings say. */
  get webContents(): DoubleWebContents {
    const gone = undefined as unknown as DoubleWebContents
    return this.#webContents.isDestroyed() ? gone : this.#webContents
  }

  /** Chromium shows one page at a time: what another one covers is hidden by that. */
  override setVisible(visible: boolean): void {
    super.setVisible(visible)
    if (visible) this.#webContents.focus()
  }
}
