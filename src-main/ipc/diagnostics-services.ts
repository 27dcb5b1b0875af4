import type { CrashDumpsView } from '../domain/diagnostics/crash-dump.ts'
import type { Diagnostics } from '../domain/diagnostics/diagnostics.ts'
import type { ResetPart } from '../domain/diagnostics/reset.ts'

/** What the window is served about the program itself. */
export interface DiagnosticsDesk {
  readonly read: (options: { readonly withAddresses: boolean }) => Promise<Diagnostics>
  readonly show: (what: 'data' | 'log' | 'crash-dumps') => Promise<void>
  readonly crashDumps: () => Promise<CrashDumpsView>
  /** @throws ProblemError storage-failed */
  readonly deleteCrashDumps: () => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly saveLog: (options: { readonly withAddresses: boolean }) => Promise<boolean>
  /** @throws ProblemError invalid-input (`typed`), storage-failed */
  readonly reset: (parts: readonly ResetPart[], typed: string) => Promise<void>
  /** @throws ProblemError storage-failed */
  readonly keep: () => Promise<void>
}
