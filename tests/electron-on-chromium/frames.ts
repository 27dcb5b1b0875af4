import type { WebFrameMain } from 'electron'

/** A document in the main frame. As in Electron, nothing can be asked of one that is gone. */
export class DoubleFrame implements Pick<WebFrameMain, 'origin' | 'parent' | 'url'> {
  readonly #origin: string
  readonly #url: string
  #isGone = false

  constructor(origin: string, url: string) {
    this.#origin = origin
    this.#url = url
  }

  get origin(): string {
    this.#require()
    return this.#origin
  }

  get url(): string {
    this.#require()
    return this.#url
  }

  get parent(): null {
    this.#require()
    return null
  }

  dispose(): void {
    this.#isGone = true
  }

  #require(): void {
    if (this.#isGone) throw new Error('Render frame was disposed before WebFrameMain could be accessed')
  }
}

/**
 * The documents of one WebContents. Each is another frame here, as it is in Electron when a page of another origin
 * follows; the one before may still deliver what it posted while it was unloaded, and is not the main frame then.
 */
export class Frames {
  #main = new DoubleFrame('', '')
  /** The frame of whatever a document posts by. */
  readonly #ofSender = new WeakMap<object, DoubleFrame>()
  #isMainTaken = false

  get main(): DoubleFrame {
    return this.#main
  }

  /** Another document is shown. */
  navigated(origin: string, url: string): void {
    this.#main.dispose()
    this.#main = new DoubleFrame(origin, url)
    this.#isMainTaken = false
  }

  /**
   * What `event.senderFrame` is found by, whenever it is asked for. The first sender that is heard of after a
   * navigation is the new document.
   */
  senderFrame(sender: object): () => DoubleFrame | null {
    const known = this.#ofSender.get(sender)
    const frame =
      known ?? (this.#isMainTaken ? new DoubleFrame(this.#main.origin, this.#main.url) : this.#main)
    if (frame === this.#main) this.#isMainTaken = true
    this.#ofSender.set(sender, frame)
    let isDelivered = false
    queueMicrotask(() => (isDelivered = true))
    return () => (frame === this.#main || !isDelivered ? frame : null)
  }
}
