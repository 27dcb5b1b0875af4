import type { TwoFactorCode } from '#domain/base/two-factor-codes.ts'
import type { Simulator } from '../../../simulator/simulator.ts'

/** Provokes a code, and looks at what is shown, sent and kept. */
export type TwoFactorCauses = Readonly<Partial<Record<TwoFactorCode, (service: Simulator) => Promise<void>>>>
