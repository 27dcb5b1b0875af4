import { z } from 'zod'
import type { AccountState } from './account.ts'
import type { Alarms } from '../guards/alarms.ts'
import { needsDecision } from '../instances/instance-status.ts'
import type { WatchedInstance } from '../instances/instance.ts'
import { boundOf, burnPerHourUsd, sumBound } from '../money/money.ts'

/** Colors that tell accounts apart. Green, amber and red are not among them: they stand for states. */
export const accountColors = ['teal', 'blue', 'violet', 'pink', 'brown', 'slate'] as const
const accountColor = z.enum(accountColors)
export type AccountColor = z.infer<typeof accountColor>

export const longestAccountName = 40

/** What the user calls an account, and its color. They stay on this computer. */
export const accountLabel = z.object({
  name: z.string().trim().min(1).max(longestAccountName),
  color: accountColor,
})
export type AccountLabel = z.infer<typeof accountLabel>

/** Why somebody should look at an account, the most urgent first. */
const accountConcern = z.enum(['key', 'decision', 'credit', 'unattended', 'unreachable'])
export type AccountConcern = z.infer<typeof accountConcern>

/** What is seen of an account while another one is in front. */
const accountLine = accountLabel.extend({
  /** The same whenever this account is connected, whichever of its keys is used. */
  id: z.string(),
  serviceAddress: z.string(),
  /** What is charged now; `null` while that is not known. */
  perHourUsd: z.number().nullable(),
  bound: sumBound,
  creditUsd: z.number().nullable(),
  concerns: z.array(accountConcern).readonly(),
})
export type AccountLine = z.infer<typeof accountLine>

/** All accounts, as a page sees them that is for one of them. */
export const accountsView = z.object({
  /** The page's own account; `null` for the page on which one is connected. */
  here: z.string().nullable(),
  /** Which one was in front before that page, or is. */
  last: z.string().nullable(),
  accounts: z.array(accountLine).readonly(),
})
export type AccountsView = z.infer<typeof accountsView>

/** What ends, and what goes on without Slipway, when an account is signed out. */
export const signOutEffects = z.object({
  /** `null` while the service has not said which there are. */
  instances: z.number().int().nullable(),
  perHourUsd: z.number().nullable(),
  /** That have not acted yet. */
  guards: z.number().int(),
  /** Instances that have guards of this computer, and go on by them. */
  guardedInstances: z.array(z.number().int()).readonly(),
  /** Machines are being tried until one runs. */
  isTrying: z.boolean(),
  /** Saved searches of which Slipway rents automatically. */
  autoRents: z.number().int(),
  /** Jobs that haven't ended. */
  jobs: z.number().int(),
  /** Instances that a terminal is open on. */
  terminals: z.number().int(),
  /** That are open. */
  forwards: z.number().int(),
  /** That are not over. */
  transfers: z.number().int(),
  /** Copies that the user's own program edited, and that aren't uploaded: they're deleted. */
  editedCopies: z.number().int(),
  /** In the vault, for this account: they stay. */
  oneTimePasswords: z.number().int(),
  backupCodeSets: z.number().int(),
})
export type SignOutEffects = z.infer<typeof signOutEffects>

/** An account's line, from what its watch knows. */
export function accountLineOf(
  { id, words }: { readonly id: string; readonly words: AccountLabel },
  {
    state,
    instances,
    unreadable,
    alarms,
  }: {
    readonly state: Extract<AccountState, { kind: 'connected' }>
    readonly instances: readonly WatchedInstance[] | null
    /** How many records of the list can't be read. */
    readonly unreadable: number
    readonly alarms: Alarms
  },
): AccountLine {
  const burn = burnPerHourUsd(instances, unreadable)
  const credit = state.user?.credit
  return {
    id,
    ...words,
    serviceAddress: state.serviceAddress,
    perHourUsd: burn.kind === 'known' ? burn.perHourUsd : null,
    bound: boundOf(burn, unreadable > 0),
    creditUsd: typeof credit === 'number' ? credit : null,
    concerns: concernsOf(state, instances ?? [], alarms),
  }
}

function concernsOf(
  { problem }: Extract<AccountState, { kind: 'connected' }>,
  instances: readonly WatchedInstance[],
  alarms: Alarms,
): readonly AccountConcern[] {
  const isKey = problem !== null && keyProblems.has(problem.kind)
  const all: readonly (readonly [AccountConcern, boolean])[] = [
    ['key', isKey],
    ['decision', instances.some(needsDecision)],
    ['credit', alarms.creditHours !== null],
    ['unattended', alarms.unattended.length > 0],
    ['unreachable', problem !== null && !isKey],
  ]
  return all.filter(([, applies]) => applies).map(([concern]) => concern)
}

/** Without another key, or an open keychain, nothing more is done for the account. */
const keyProblems: ReadonlySet<string> = new Set([
  'key-refused',
  'not-allowed',
  'secret-missing',
  'address-changed',
  'keychain-locked',
  'keychain-unavailable',
])

/** The first color that no other account has; with more accounts than colors, the one that comes round. */
export function freeColor(taken: readonly AccountColor[]): AccountColor {
  const free = accountColors.find((color) => !taken.includes(color))
  return free ?? accountColors[taken.length % accountColors.length] ?? 'slate'
}

/** The name, with a number where another account has it already. */
export function freeName(name: string, taken: readonly string[]): string {
  const short = Array.from(name)
    .slice(0, longestAccountName - 4)
    .join('')
  for (let count = 1; ; count += 1) {
    const tried = count === 1 ? short : `${short} ${count}`
    if (!taken.includes(tried)) return tried
  }
}
