import type { AccountState } from '../../domain/accounts/account.ts'
import type { InstancesSnapshot, WatchedInstance } from '../../domain/instances/instance.ts'
import type { KeychainState } from '../../domain/vault/keychain-state.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Problem } from '../../domain/base/problem.ts'
import { isPassing } from '../../domain/rental-api/service-errors.ts'

/** Credit goes down while instances run: what is shown of it is not older than this and one pause of the list. */
const oldestMs = 5 * 60_000

export interface AccountFreshnessOptions {
  readonly account: Latest<AccountState>
  /** Asks the service who the account is. Never rejects. */
  readonly check: () => Promise<void>
  /** Of the account's instances. */
  readonly watch: {
    readonly snapshot: Latest<InstancesSnapshot>
    start(before: readonly WatchedInstance[]): void
    refresh(): Promise<void>
  }
  /** The instances as they were last seen. */
  readonly remembered: () => readonly WatchedInstance[]
  readonly keychain: Latest<KeychainState>
  readonly signal: AbortSignal
}

/**
 * Begins with an account that is connected, and asks for it again when its record is old, or when the service answers after it did not; and for both as
 * soon as the keychain gives the key that was missing, or another key or an admin session takes its place. There is no timer
 * here: the watch's own answers say when the service can be asked.
 */
export async function keepAccountFresh(options: AccountFreshnessOptions): Promise<void> {
  const following = [
    checkWhenDue(options),
    askWhenUnlocked(options),
    checkAgainIfUnlocked(options),
    listByNewKey(options),
  ]
  begin(options)
  await Promise.all(following)
}

/** A key that was checked just now needn't be checked again. */
function begin({ account, check, watch, remembered }: AccountFreshnessOptions): void {
  if (account.value.kind === 'none') return
  if (account.value.checkedAt === null) void check()
  watch.start(remembered())
}

async function checkWhenDue({ account, check, watch, signal }: AccountFreshnessOptions): Promise<void> {
  let answeredAt: number | null = null
  let isChecking = false
  for await (const { fetchedAt } of watch.snapshot.watch(signal)) {
    if (fetchedAt === null || fetchedAt === answeredAt) continue
    answeredAt = fetchedAt
    if (isChecking || !isDue(account.value, fetchedAt)) continue
    isChecking = true
    // Not waited for: with a service that hangs, the program's end would be.
    void check().finally(() => (isChecking = false))
  }
}

function isDue(account: AccountState, now: number): boolean {
  if (account.kind === 'none' || account.checkedAt === null) return false
  const { problem, checkedAt } = account
  return now - checkedAt >= oldestMs || (problem !== null && (isPassing(problem) || isAboutKeychain(problem)))
}

async function askWhenUnlocked({
  account,
  check,
  watch,
  keychain,
  signal,
}: AccountFreshnessOptions): Promise<void> {
  for await (const { kind } of keychain.watch(signal)) {
    if (kind !== 'available') continue
    if (isLocked(account.value)) void check()
    const { problem } = watch.snapshot.value
    if (problem !== null && isAboutKeychain(problem)) await watch.refresh()
  }
}

/**
 * An answer may say "locked" although the keychain has been unlocked meanwhile; the next list comes half a minute later.
 * This ends, because a read that finds the keychain locked says so in its state before it answers.
 */
async function checkAgainIfUnlocked({
  account,
  check,
  keychain,
  signal,
}: AccountFreshnessOptions): Promise<void> {
  for await (const state of account.watch(signal))
    if (keychain.value.kind === 'available' && isLocked(state)) void check()
}

/** The former key may have been refused for a while, or a session may see what the key doesn't: nobody waits for the next poll. */
async function listByNewKey({ account, watch, signal }: AccountFreshnessOptions): Promise<void> {
  let former: string | null = null
  for await (const state of account.watch(signal)) {
    const usedKey = state.kind === 'none' ? null : `${state.keyId} ${state.bearer}`
    if (former !== null && usedKey !== null && usedKey !== former) void watch.refresh()
    former = usedKey
  }
}

function isLocked(account: AccountState): boolean {
  return account.kind === 'connected' && account.problem?.kind === 'keychain-locked'
}

function isAboutKeychain({ kind }: Problem): boolean {
  return kind === 'keychain-locked' || kind === 'keychain-unavailable'
}
