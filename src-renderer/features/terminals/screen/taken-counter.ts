/** How many bytes may be taken before the sender is told: a quarter of the least credit, and as much as main sends at once. */
export const acknowledgeEveryBytes = 64 * 1024

/**
 * The credit that a terminal's port gives back: a running total of what the screen has taken, told every
 * 64 KiB and when there is nothing left to take. Cumulative, so that a lost or merged message does no harm.
 */
export interface TakenCounter {
  readonly take: (bytes: number) => void
  /** Tells what has not been told yet. */
  readonly flush: () => void
}

export function createTakenCounter(tell: (totalBytes: number) => void): TakenCounter {
  let total = 0
  let told = 0
  const flush = (): void => {
    if (total === told) return
    told = total
    tell(total)
  }
  return {
    take(bytes) {
      total += bytes
      if (total - told >= acknowledgeEveryBytes) flush()
    },
    flush,
  }
}
