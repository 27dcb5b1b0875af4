import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebContentsView, WebContentsViewConstructorOptions } from 'electron'
import { app } from './app.ts'
import { DoubleWebContents } from './web-contents.ts'

type Implemented = Pick<WebContentsView, 'setBackgroundColor' | 'setBounds' | 'setVisible'>

/**
 * A page that fills the window, whatever bounds it is given. What it was made with is written to
 * `web-preferences.txt` in the data folder, as JSON, a page a line.
 */
export class DoubleWebContentsView implements Implemented {
  readonly webContents: DoubleWebContents

  constructor({ webPreferences }: WebContentsViewConstructorOptions = {}) {
    const line = `${JSON.stringify(webPreferences ?? {})}\n`
    appendFileSync(join(app.getPath('userData'), 'web-preferences.txt'), line)
    this.webContents = new DoubleWebContents(webPreferences?.preload)
  }

  /** Chromium shows one page at a time: what another one covers is hidden by that. */
  setVisible(visible: boolean): void {
    if (visible) this.webContents.focus()
  }

  setBounds(): void {}

  setBackgroundColor(): void {}
}
