import type { Turns } from './turns.ts'

/** Milliseconds from one frame of a flood to the next: 20 a second, and nobody reads more of it. */
export const floodFrameMs = 50

/** So many bytes beyond what a program writes that draws its whole screen are a flood. */
export const floodBytes = 64 * 1024

/** As much as a program writes that draws its whole screen at each of the screen's ticks. */
const calmBytesPerMs = 1024

/** For so long does a user look for what a key has done; longer than the way to a distant server and back. */
const typedMs = 500

/** For so long is there nothing more to take when what a key brings has come; a flood has shorter gaps all the time. */
const quietMs = 3

/** When one terminal is drawn. */
export interface FrameGate {
  /** Calls it back in the terminal's next frame. @returns what `cancel` takes */
  readonly request: (draw: FrameRequestCallback) => number
  readonly cancel: (handle: number) => void
  /** What is asked for isn't held up: until it's drawn there is nothing to see. */
  readonly atOnce: () => void
  /** Its parser has taken so many bytes more. */
  readonly wrote: (bytes: number) => void
  /** Its parser has taken all there is. */
  readonly settled: () => void
  /** Its user has pressed a key. */
  readonly typed: () => void
  /** Forgets what was asked for: there is nothing to draw any more. */
  readonly dispose: () => void
}

/**
 * Lets a terminal draw in the page's next frame, but in a flood 20 times a second, all such terminals in the same
 * frames: drawing one takes as long as parsing 500 KB of text (12 ms, measured without a GPU), so that 60 of them a
 * second would leave little time to parse. What a key brings is not held up, once nothing more comes.
 *
 * @param isBusy whether the terminal's parser has something left to take
 */
export function createFrameGate(
  { now, later, frame }: Pick<Turns, 'now' | 'later' | 'frame'>,
  isBusy: () => boolean,
): FrameGate {
  const asked = new Map<number, FrameRequestCallback>()
  let handles = 0
  let isFrameDue = false
  let cancelWait: (() => void) | undefined
  /** What was written beyond the calm, which runs out with time. */
  let excess = 0
  let excessAtMs = -Infinity
  let typedAtMs = -Infinity
  let cancelQuiet: (() => void) | undefined

  function settleExcess(): void {
    const nowMs = now()
    excess = Math.max(0, excess - (nowMs - excessAtMs) * calmBytesPerMs)
    excessAtMs = nowMs
  }

  function draw(): void {
    isFrameDue = false
    const due = [...asked.values()]
    asked.clear()
    for (const one of due) {
      try {
        one(now())
      } catch (error) {
        // As in a frame of the window's own, the others are called back all the same.
        reportError(error)
      }
    }
  }

  function askForFrame(): void {
    cancelWait?.()
    cancelWait = undefined
    isFrameDue = true
    frame(draw)
  }

  return {
    request(one) {
      handles += 1
      asked.set(handles, one)
      if (isFrameDue || cancelWait) return handles
      settleExcess()
      if (excess < floodBytes) askForFrame()
      else cancelWait = later(floodFrameMs - (now() % floodFrameMs), askForFrame)
      return handles
    },
    cancel(handle) {
      asked.delete(handle)
    },
    atOnce() {
      if (cancelWait) askForFrame()
    },
    wrote(bytes) {
      cancelQuiet?.()
      settleExcess()
      excess = Math.min(excess + bytes, 2 * floodBytes)
    },
    settled() {
      if (!cancelWait || now() - typedAtMs >= typedMs) return
      cancelQuiet = later(quietMs, () => {
        if (cancelWait && !isBusy()) askForFrame()
      })
    },
    typed() {
      typedAtMs = now()
    },
    dispose() {
      asked.clear()
      cancelQuiet?.()
      cancelWait?.()
      cancelWait = undefined
    },
  }
}
