import type { Clock } from '../../../domain/base/clock.ts'
import type { ChosenPlace } from '../../../domain/files/transfer.ts'
import { placesOf } from '../local-tree.ts'

/**
 * A drop and the question for it come from one page at one moment, each on its own way: either may be first by as long as
 * main is busy. What nobody asks for, because it was dropped on something else, is forgotten then.
 */
const patienceMs = 2_000

type Drop = PromiseWithResolvers<readonly string[]>

/** The files that the user has just dropped on the page, each drop by its time in the page's document. */
export class DroppedFiles {
  readonly #clock: Clock
  readonly #drops = new Map<number, Drop>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param paths absolute ones of this computer */
  put(at: number, paths: readonly string[]): void {
    this.#dropAt(at).resolve(paths)
  }

  /** In folders, once; none when nothing was dropped then. */
  async take(at: number): Promise<readonly ChosenPlace[]> {
    const paths = await this.#dropAt(at).promise
    this.#drops.delete(at)
    return placesOf(paths)
  }

  #dropAt(at: number): Drop {
    const known = this.#drops.get(at)
    if (known !== undefined) return known
    const drop: Drop = Promise.withResolvers()
    this.#drops.set(at, drop)
    void this.#clock.sleep(patienceMs).then(() => {
      drop.resolve([])
      if (this.#drops.get(at) === drop) this.#drops.delete(at)
    })
    return drop
  }
}
