import { z } from 'zod'
import { counted } from '../base/plural.ts'
import { problem } from '../base/problem.ts'

/** Why a build does not update itself. */
const noUpdates = z.enum([
  /** It was built without an address for updates and a key to check them with. */
  'not-configured',
  /** It was installed as a package (deb, rpm), or runs from its sources: what brought it brings the next one. */
  'not-by-itself',
  /** It runs in Flatpak's sandbox, where its files are read-only: Flatpak brings the next one. */
  'flatpak',
])
export type NoUpdates = z.infer<typeof noUpdates>

/** How it stands with a new version of Slipway. */
export const updateState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none'), why: noUpdates }),
  /** `at`: when was looked last in this run, in milliseconds since the epoch. */
  z.object({ kind: z.literal('idle'), at: z.number().nullable() }),
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('found'), version: z.string(), notes: z.string() }),
  z.object({
    kind: z.literal('downloading'),
    version: z.string(),
    notes: z.string(),
    percent: z.number(),
  }),
  z.object({ kind: z.literal('ready'), version: z.string(), notes: z.string() }),
  z.object({ kind: z.literal('failed'), problem }),
])
export type UpdateState = z.infer<typeof updateState>

/** What an installation would end, over all accounts. */
export interface AtWork {
  readonly guards: number
  /** Machines are being tried until one runs. */
  readonly isTrying: boolean
  /** Saved searches of which Slipway rents automatically. */
  readonly autoRents: number
  /** Jobs that haven't ended. */
  readonly jobs: number
  /** Instances that a terminal is open on. */
  readonly terminals: number
  readonly forwards: number
  readonly transfers: number
}

/** What an installation would end, from what it would end of each account. */
export function totalAtWork(all: readonly AtWork[]): AtWork {
  const sum = (what: 'guards' | 'autoRents' | 'jobs' | 'terminals' | 'forwards' | 'transfers'): number =>
    all.reduce((total, one) => total + one[what], 0)
  return {
    guards: sum('guards'),
    isTrying: all.some(({ isTrying }) => isTrying),
    autoRents: sum('autoRents'),
    jobs: sum('jobs'),
    terminals: sum('terminals'),
    forwards: sum('forwards'),
    transfers: sum('transfers'),
  }
}

/** What is asked before an installation; `null` when it ends nothing. */
export function installQuestion(work: AtWork): { readonly message: string; readonly detail: string } | null {
  const ends = [
    ...(work.terminals > 0 ? [counted(work.terminals, 'open terminal')] : []),
    ...(work.transfers > 0 ? [counted(work.transfers, 'transfer')] : []),
    ...(work.forwards > 0 ? [counted(work.forwards, 'forward')] : []),
  ]
  const pauses = [
    ...(work.guards > 0 ? [counted(work.guards, 'guard')] : []),
    ...(work.isTrying ? ['trying machines until one runs'] : []),
    ...(work.autoRents > 0 ? ['auto-rent'] : []),
    ...(work.jobs > 0 ? [counted(work.jobs, 'job')] : []),
  ]
  const detail = [
    ...(ends.length > 0
      ? [`This ends: ${ends.join(', ')}. Instances keep running, and you’re still charged.`]
      : []),
    ...(pauses.length > 0 ? [`Until Slipway runs again, this pauses: ${pauses.join(', ')}.`] : []),
  ].join('\n\n')
  return detail === '' ? null : { message: 'Install the new version and start again?', detail }
}

/** A build's version, as people are told it; one from the sources has data and secrets of its own. */
export function versionText({
  version,
  isDevelopment,
}: {
  readonly version: string
  readonly isDevelopment: boolean
}): string {
  return isDevelopment ? `${version} (development build)` : version
}
