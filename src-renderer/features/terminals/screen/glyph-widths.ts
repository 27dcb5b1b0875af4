import type { Terminal } from '@xterm/xterm'

/**
 * How long the characters that are shown for the first time may be measured in one frame, in milliseconds.
 * A screen full of garbage has thousands of them, each looked for in all the system's fonts.
 * (Measured with xterm.js 6.0: four thousand lines of new characters held a click for 1.5 s, with this for 0.7 s.)
 */
const patienceMs = 6

/**
 * Bounds the time that xterm.js's DOM renderer needs for a frame. It measures each new character by a layout
 * of the page; here a canvas does it, and what does not fit into the frame is drawn unmeasured (its place in
 * the row may be off by a part of a character) and comes with the next ones. Call it whenever the terminal
 * got a DOM renderer; one that measures in another way is left as it is.
 */
export function boundMeasuring(terminal: Terminal): void {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return
  const measure = canvasMeasure(context)
  let frame: CSSNumberish | null = null
  let spentMs = 0
  let refreshing = false

  function drawAgain(): void {
    if (refreshing) return
    refreshing = true
    requestAnimationFrame(() => {
      refreshing = false
      if (terminal.element?.isConnected) terminal.refresh(0, terminal.rows - 1)
    })
  }

  /** In CSS pixels; not a number, which xterm.js neither keeps nor draws by, when the frame's time is over. */
  function widthOf(element: HTMLElement): number {
    const text = element.textContent
    if (frame !== document.timeline.currentTime) {
      frame = document.timeline.currentTime
      spentMs = 0
    }
    if (spentMs > patienceMs && !isPlain(text)) {
      drawAgain()
      return NaN
    }
    const startedAt = performance.now()
    // A whole number, as the layout's would be: else each piece of text gets a letter spacing of its own.
    const width = Math.round(measure(text, fontOf(element)))
    spentMs += performance.now() - startedAt
    return width
  }

  for (const element of terminal.element?.querySelectorAll<HTMLElement>(measured) ?? [])
    Object.defineProperty(element, 'offsetWidth', { get: () => widthOf(element) })
}

const measured = '.xterm-width-cache-measure-container > .xterm-char-measure-element'

/** The cell's own width is measured by such. */
function isPlain(text: string): boolean {
  return text.charCodeAt(0) < 0x80
}

/** As xterm.js sets it; not the computed style, which would lay out the page again. */
function fontOf({ style, parentElement }: HTMLElement): string {
  const { fontSize, fontFamily } = parentElement?.style ?? style
  return `${style.fontStyle || 'normal'} ${style.fontWeight || 'normal'} ${fontSize} ${fontFamily}`
}

function canvasMeasure(context: CanvasRenderingContext2D): (text: string, font: string) => number {
  context.fontKerning = 'none'
  let current = ''
  return (text, font) => {
    // Setting it parses it, also when it is the same.
    if (font !== current) context.font = current = font
    return context.measureText(text).width
  }
}
