import type { Simulator } from '../../../simulator/simulator.ts'
import type { TwoFactorAnswer } from '../two-factor-person.ts'

/** What makes the service answer with a code of section 7. */
export interface Cause {
  /** Says it in words, as the name of a test. */
  readonly when: string
  /** Makes it happen; answers with the reply that has the code. */
  readonly happen: (simulator: Simulator) => Promise<TwoFactorAnswer>
}

/** Causes by the code that they lead to. */
export type Causes = Readonly<Record<string, Cause>>
