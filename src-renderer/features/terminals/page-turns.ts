import type { Turns } from './screen/turns.ts'

/**
 * So long a page that has text to parse goes on without its frame, which is mostly drawn between two turns: waiting for
 * each would leave it idle until the screen's next tick.
 */
const frameDueMs = 24

/**
 * The turns of a real page. A MessageChannel, because Chromium stretches chained timers to 4 ms and more.
 *
 * @param isVisible whether the page is seen; frames that nobody sees may never be drawn
 */
export function createPageTurns(isVisible: () => boolean): Turns {
  const waiting: (() => void)[] = []
  const channel = new MessageChannel()
  channel.port1.onmessage = () => waiting.shift()?.()
  const soon = (run: () => void): void => {
    waiting.push(run)
    channel.port2.postMessage(undefined)
  }
  /** When the frame was asked for that is not drawn yet. */
  let askedAtMs: number | undefined
  let onFrame: (() => void) | undefined
  const drawing: (() => void)[] = []

  function frame(draw: () => void): void {
    drawing.push(draw)
    if (askedAtMs !== undefined) return
    askedAtMs = performance.now()
    requestAnimationFrame(() => {
      askedAtMs = undefined
      for (const one of drawing.splice(0)) {
        try {
          one()
        } catch (error) {
          // It is one terminal's, and the others are drawn.
          reportError(error)
        }
      }
      onFrame?.()
    })
  }

  const isOverdue = (): boolean => askedAtMs !== undefined && performance.now() - askedAtMs >= frameDueMs

  return {
    now: () => performance.now(),
    soon,
    frame,
    afterFrame(run) {
      if (!isVisible() || !isOverdue()) return soon(run)
      const goOn = (): void => {
        onFrame = undefined
        clearTimeout(timer)
        soon(run)
      }
      const timer = setTimeout(goOn, 100)
      onFrame = goOn
    },
    later(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
}
