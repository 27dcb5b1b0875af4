import type { Turns } from '../../../../src-renderer/features/terminals/screen/turns.ts'
import type {
  QueuedScreen,
  WriteScheduler,
} from '../../../../src-renderer/features/terminals/screen/write-scheduler.ts'

interface Task {
  readonly atMs: number
  readonly run: () => void
}

/** A page whose time stands still unless a test, or a parser at work, moves it. */
export class FakePage implements Turns {
  nowMs = 0
  /** How often parsing waited for a frame, and how often only for other events. */
  frames = 0
  yields = 0
  #tasks: Task[] = []

  readonly now = (): number => this.nowMs
  readonly soon = (run: () => void): void => {
    this.yields += 1
    this.#add(0, run)
  }
  readonly frame = (draw: () => void): void => {
    this.#add(this.#untilFrameMs(), draw)
  }
  readonly afterFrame = (run: () => void): void => {
    this.frames += 1
    this.#add(this.#untilFrameMs(), run)
  }
  readonly later = (ms: number, run: () => void): (() => void) => {
    const task = this.#add(ms, run)
    return () => {
      this.#tasks = this.#tasks.filter((other) => other !== task)
    }
  }

  #untilFrameMs(): number {
    return 16 - (this.nowMs % 16)
  }

  #add(ms: number, run: () => void): Task {
    const task = { atMs: this.nowMs + ms, run }
    this.#tasks.push(task)
    return task
  }

  /** Runs what is due until `untilMs`, in order of time. */
  run(untilMs: number): void {
    for (;;) {
      const due = this.#tasks.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
      if (!due) break
      this.#tasks = this.#tasks.filter((task) => task !== due)
      this.nowMs = Math.max(this.nowMs, due.atMs)
      due.run()
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  /** As xterm.js does it: a timer starts the parser, and what a callback writes is parsed in the same go. */
  createParser(msPerSlice: number): FakeParser {
    return new FakeParser(this, msPerSlice)
  }
}

export class FakeParser {
  readonly parsed: number[] = []
  readonly pieces: number[] = []
  /** When set, it does not answer. */
  stuck = false
  readonly #page: FakePage
  readonly #msPerSlice: number
  readonly #queue: { readonly bytes: Uint8Array; readonly done: () => void }[] = []
  #running = false

  constructor(page: FakePage, msPerSlice: number) {
    this.#page = page
    this.#msPerSlice = msPerSlice
  }

  readonly write = (bytes: Uint8Array, done: () => void): void => {
    this.#queue.push({ bytes, done })
    if (this.#running) return
    this.#running = true
    this.#page.later(0, () => this.work())
  }

  work(): void {
    while (!this.stuck) {
      const piece = this.#queue.shift()
      if (!piece) break
      if (piece.bytes.length > 0) {
        this.#page.nowMs += this.#msPerSlice
        this.pieces.push(piece.bytes.length)
        this.parsed.push(...piece.bytes)
      }
      piece.done()
    }
    if (!this.stuck) this.#running = false
  }
}

export interface Watched extends QueuedScreen {
  readonly parser: FakeParser
  readonly taken: () => number
  readonly drains: () => number
  readonly give: (bytes: Uint8Array) => void
}

/** A screen on a fake parser that counts what it is told. */
export function addWatched(scheduler: WriteScheduler, page: FakePage, msPerSlice = 1): Watched {
  const parser = page.createParser(msPerSlice)
  let taken = 0
  let drains = 0
  const screen = scheduler.addScreen({ write: parser.write, drained: () => (drains += 1) })
  return {
    ...screen,
    parser,
    taken: () => taken,
    drains: () => drains,
    give: (bytes) =>
      screen.push(bytes, (count) => {
        taken += count
      }),
  }
}
