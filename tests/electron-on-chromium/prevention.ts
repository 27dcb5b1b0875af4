/** An event of Electron that a listener may prevent. */
export class Preventable {
  #isPrevented = false

  get defaultPrevented(): boolean {
    return this.#isPrevented
  }

  preventDefault(): void {
    this.#isPrevented = true
  }
}

/** A navigation that a listener may prevent. */
export class PreventableNavigation extends Preventable {
  readonly url: string
  readonly isMainFrame: boolean
  readonly isSameDocument = false

  constructor(url: string, isMainFrame: boolean) {
    super()
    this.url = url
    this.isMainFrame = isMainFrame
  }
}
