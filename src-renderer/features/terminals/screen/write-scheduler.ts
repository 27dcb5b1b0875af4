import { createFrameGate, type FrameGate } from './frame-gate.ts'
import type { Turns } from './turns.ts'
import type { Frames } from './xterm-drawing.ts'

/**
 * Feeds the screens. xterm.js left to itself parses in slices of 12 ms chained by timers, which stutter under
 * a flood and let a hidden terminal take as much as the one being looked at. Here one slice is with one
 * parser at a time, the most wanted terminal first, and the frame gets its turn between.
 */

/** The largest piece handed to a parser at once: well under a millisecond for most text. */
export const sliceBytes = 32 * 1024

/** How long parsing may hold the page before it yields: about half a frame. */
export const turnMs = 8

/** What the first piece of a parser counts for. With nothing, terminals that take turns by small ones would end no turn. */
const firstPieceMs = 1

/** A parser that has not answered for this long no longer holds up the others. */
export const stallMs = 10_000

/** `focused` has the keyboard, `visible` is drawn, `hidden` is only parsed. */
export type Priority = 'focused' | 'visible' | 'hidden'

export interface ScreenOptions {
  /** Hands bytes to the parser, which calls `done` once it has taken them: in order, now or later. */
  readonly write: (bytes: Uint8Array, done: () => void) => void
  /** All that was pushed has been taken. */
  readonly drained: () => void
}

/** One terminal's place in the queue. */
export interface QueuedScreen {
  /** Queues bytes; `taken` is told, in pieces, how many of them the parser has taken or were thrown away. */
  readonly push: (bytes: Uint8Array, taken: Taken) => void
  readonly setPriority: (priority: Priority) => void
  /** Its user has pressed a key. */
  readonly typed: () => void
  /** The frames that it may be drawn in. */
  readonly frames: Frames
  /** Throws away what is still queued. Call it before the parser is disposed of. */
  readonly dispose: () => void
}

export interface WriteScheduler {
  readonly addScreen: (options: ScreenOptions) => QueuedScreen
}

type Taken = (bytes: number) => void

interface Chunk {
  readonly bytes: Uint8Array
  readonly taken: Taken
}

interface Entry extends ScreenOptions {
  readonly gate: FrameGate
  priority: Priority
  readonly queue: Chunk[]
  /** How much of the first chunk has been taken. */
  offset: number
  /** The piece that is with the parser and not answered yet. */
  pending: { readonly taken: Taken; readonly bytes: number } | undefined
}

export function createWriteScheduler(turns: Turns): WriteScheduler {
  /** In the order of their last service, the longest ago first. */
  const entries: Entry[] = []
  /** The one whose parser is at work. */
  let current: Entry | undefined
  let cancelStall: (() => void) | undefined
  let waiting = false
  let spentMs = 0
  let hiddenServed = false
  /** The one served last in this turn. */
  let served: Entry | undefined

  /**
   * The one served last goes on for the rest of the turn: it is inside of its parser's own loop, and each change to another
   * parser waits for a timer, which Chromium stretches to 4 ms.
   */
  function next(priority: Priority): Entry | undefined {
    const isReady = (entry: Entry): boolean =>
      entry.priority === priority && entry.queue.length > 0 && !entry.pending
    return served && isReady(served) ? served : entries.find(isReady)
  }

  /** The one to serve in this turn, if any: hidden screens get what is left, and at least one slice. */
  function choose(): Entry | undefined {
    const drawn = next('focused') ?? next('visible')
    if (spentMs < turnMs) return drawn ?? next('hidden')
    return drawn && !hiddenServed ? next('hidden') : undefined
  }

  function beginTurn(): void {
    spentMs = 0
    hiddenServed = false
    served = undefined
  }

  function rest(): void {
    const drawn = next('focused') ?? next('visible')
    if (!drawn && !next('hidden')) return
    waiting = true
    const wait = drawn ? turns.afterFrame : turns.soon
    wait(() => {
      waiting = false
      beginTurn()
      run()
    })
  }

  function run(): void {
    if (current || waiting) return
    const entry = choose()
    if (entry) feed(entry, null)
    else rest()
  }

  /**
   * @param startedAtMs when the parser began, inside of whose own loop a further write is parsed at once, without a timer;
   *   `null` when it has yet to begin: nobody knows when it does, so the piece counts as a short one
   */
  function feed(entry: Entry, startedAtMs: number | null): void {
    const chunk = entry.queue[0]
    if (!chunk) return
    const slice = chunk.bytes.subarray(entry.offset, entry.offset + sliceBytes)
    entry.offset += slice.length
    if (entry.offset === chunk.bytes.length) {
      entry.queue.shift()
      entry.offset = 0
    }
    entries.splice(entries.indexOf(entry), 1)
    entries.push(entry)
    served = entry
    if (entry.priority === 'hidden') hiddenServed = true
    hand(entry, slice, chunk.taken, () => {
      const nowMs = turns.now()
      spentMs += startedAtMs === null ? firstPieceMs : nowMs - startedAtMs
      if (choose() === entry) feed(entry, nowMs)
    })
  }

  function hand(entry: Entry, bytes: Uint8Array, taken: Taken, then: () => void): void {
    const piece = { taken, bytes: bytes.length }
    current = entry
    entry.pending = piece
    cancelStall = turns.later(stallMs, () => {
      // Its bytes stay unanswered, so that its server is held back. When it answers, it goes on.
      current = undefined
      run()
    })
    entry.write(bytes, () => {
      if (entry.pending !== piece) return
      entry.pending = undefined
      const inTime = current === entry
      entry.gate.wrote(piece.bytes)
      taken(piece.bytes)
      if (entry.queue.length === 0) {
        entry.drained()
        entry.gate.settled()
      }
      if (inTime) {
        release()
        then()
      }
      run()
    })
  }

  function release(): void {
    current = undefined
    cancelStall?.()
  }

  function discard(entry: Entry): void {
    entries.splice(entries.indexOf(entry), 1)
    const { pending } = entry
    entry.pending = undefined
    pending?.taken(pending.bytes)
    for (const { bytes, taken } of entry.queue.splice(0)) {
      taken(bytes.length - entry.offset)
      entry.offset = 0
    }
    entry.drained()
    entry.gate.dispose()
    if (served === entry) served = undefined
    if (current === entry) release()
    run()
  }

  return {
    addScreen(options) {
      const isBusy = (): boolean => entry.queue.length > 0 || entry.pending !== undefined
      const gate = createFrameGate(turns, isBusy)
      const entry: Entry = { ...options, gate, priority: 'visible', queue: [], offset: 0, pending: undefined }
      entries.push(entry)
      return {
        push(bytes, taken) {
          if (!entries.includes(entry)) return taken(bytes.length)
          if (bytes.length === 0) return
          if (!current && !waiting) beginTurn()
          entry.queue.push({ bytes, taken })
          run()
        },
        setPriority(priority) {
          entry.priority = priority
        },
        typed: gate.typed,
        frames: gate,
        dispose() {
          if (entries.includes(entry)) discard(entry)
        },
      }
    },
  }
}
