import { EventEmitter } from 'node:events'
import type { Rectangle, View } from 'electron'

type Implemented = Pick<View, 'getBounds' | 'getVisible' | 'setBackgroundColor' | 'setBounds' | 'setVisible'>

/** A rectangle in a window. Chromium knows nothing of it: it is there to be asked where it lies. */
export class DoubleView extends EventEmitter implements Implemented {
  #bounds: Rectangle = { x: 0, y: 0, width: 0, height: 0 }
  #isVisible = true

  /** Relative to the view that it lies in. */
  getBounds(): Rectangle {
    return { ...this.#bounds }
  }

  /** As in Electron, told of only when it changes something. */
  setBounds(bounds: Rectangle): void {
    const before = this.#bounds
    this.#bounds = { ...bounds }
    if (JSON.stringify(before) !== JSON.stringify(this.#bounds)) this.emit('bounds-changed')
  }

  getVisible(): boolean {
    return this.#isVisible
  }

  setVisible(visible: boolean): void {
    this.#isVisible = visible
  }

  setBackgroundColor(): void {}
}
