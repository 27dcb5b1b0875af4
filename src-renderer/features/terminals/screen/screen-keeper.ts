/** After a terminal was written to, in milliseconds: what comes until then is kept together. */
const keepAfterMs = 2_000

/** Reading screens may take one part in so many of the page's time. */
const shareOfTime = 20

export interface KeeperOptions {
  /** Reads one terminal's screen and hands it to main. */
  readonly keep: (key: string) => Promise<void>
  /** In milliseconds, from any origin. */
  readonly now: () => number
  readonly later: (ms: number, run: () => void) => void
}

/** Keeps what terminals show soon after it has changed, and never for much of the page's time. */
export interface ScreenKeeper {
  readonly wrote: (key: string) => void
  readonly forget: (key: string) => void
  /** Keeps at once what has changed: the page goes. Resolves when main has it. */
  readonly flush: () => Promise<void>
}

export function createScreenKeeper({ keep, now, later }: KeeperOptions): ScreenKeeper {
  /** When each changed terminal is due; the first one is due first. */
  const due = new Map<string, number>()
  let restUntil = -Infinity
  let waiting = false

  function schedule(): void {
    const [next] = due.values()
    if (waiting || next === undefined) return
    waiting = true
    later(Math.max(next, restUntil) - now(), () => {
      waiting = false
      keepFirst()
      schedule()
    })
  }

  function keepFirst(): void {
    const [first] = due
    if (!first || first[1] > now()) return
    const startedAt = now()
    due.delete(first[0])
    void keep(first[0])
    restUntil = now() + (now() - startedAt) * shareOfTime
  }

  return {
    wrote(key) {
      if (!due.has(key)) due.set(key, now() + keepAfterMs)
      schedule()
    },
    forget(key) {
      due.delete(key)
    },
    async flush() {
      const changed = [...due.keys()]
      due.clear()
      await Promise.all(changed.map(keep))
    },
  }
}
