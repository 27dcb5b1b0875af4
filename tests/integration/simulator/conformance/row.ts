import type { Simulator } from '../../../simulator/simulator.ts'

/** One sentence of the API description, and how the simulator is seen to keep it. */
export interface Row {
  /** `4.7 Complete login`, or only `4.7` for what is said anywhere in it. */
  readonly section: string
  /** A part of the sentence, literally; it may stand for every sentence of the section that holds it. */
  readonly says: string
  /** What exactly is seen, where a sentence has several rows. */
  readonly seen?: string
  /** Throws when the simulator does otherwise. It makes an account of its own for whatever it changes. */
  readonly check: (simulator: Simulator) => Promise<void>
}

/** A sentence from which nothing follows for the simulator, and why not. */
export interface Exempt {
  readonly section: string
  readonly says: string
  readonly why: string
}
