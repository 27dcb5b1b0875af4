import type { Turns } from './write-scheduler.ts'

/** The turns of a real page. A MessageChannel, because Chromium stretches chained timers to 4 ms and more. */
export function createPageTurns(): Turns {
  const waiting: (() => void)[] = []
  const channel = new MessageChannel()
  channel.port1.onmessage = () => waiting.shift()?.()
  const soon = (run: () => void): void => {
    waiting.push(run)
    channel.port2.postMessage(undefined)
  }
  return {
    now: () => performance.now(),
    soon,
    afterFrame(run) {
      // A page that is not shown draws no frames and would wait for ever.
      if (document.visibilityState === 'hidden') return soon(run)
      let done = false
      const once = (): void => {
        if (done) return
        done = true
        clearTimeout(timer)
        soon(run)
      }
      const timer = setTimeout(once, 100)
      requestAnimationFrame(once)
    },
    later(ms, run) {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  }
}
