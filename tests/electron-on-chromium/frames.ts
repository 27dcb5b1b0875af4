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
 * The documents of one WebContents, by their numbers, which rise (page-server.ts). Each is another frame here, as it is
 * in Electron when a page of another origin follows; the one before may still deliver what it posted while it was
 * unloaded, and is not the main frame then.
 */
export class Frames {
  #main = new DoubleFrame('', '')
  #document = 0
  readonly #waiting: (() => void)[] = []

  get main(): DoubleFrame {
    return this.#main
  }

  /** Another document is shown. */
  navigated(document: number, origin: string, url: string): void {
    this.#main.dispose()
    this.#main = new DoubleFrame(origin, url)
    this.#document = document
    for (const look of this.#waiting.splice(0)) look()
  }

  /** Resolves once this document, or one after it, has been shown. */
  async heardOf(document: number): Promise<void> {
    while (document > this.#document) await new Promise<void>((look) => this.#waiting.push(look))
  }

  /** What `event.senderFrame` is found by, whenever it is asked for. */
  senderFrame(document: number): () => DoubleFrame | null {
    const frame = document === this.#document ? this.#main : goneFrame()
    let isDelivered = false
    queueMicrotask(() => (isDelivered = true))
    return () => (frame === this.#main || !isDelivered ? frame : null)
  }
}

function goneFrame(): DoubleFrame {
  const frame = new DoubleFrame('', '')
  frame.dispose()
  return frame
}
