import type { WebContentsView, WebContentsViewConstructorOptions } from 'electron'
import { DoubleWebContents } from './web-contents.ts'

type Implemented = Pick<WebContentsView, 'setBackgroundColor' | 'setBounds' | 'setVisible'>

/** A page that fills the window, whatever bounds it is given. */
export class DoubleWebContentsView implements Implemented {
  readonly webContents: DoubleWebContents

  constructor({ webPreferences }: WebContentsViewConstructorOptions = {}) {
    this.webContents = new DoubleWebContents(webPreferences?.preload)
  }

  /** Chromium shows one page at a time: what another one covers is hidden by that. */
  setVisible(visible: boolean): void {
    if (visible) this.webContents.focus()
  }

  setBounds(): void {}

  setBackgroundColor(): void {}
}
