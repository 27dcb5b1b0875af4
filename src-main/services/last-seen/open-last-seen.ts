import type { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import { seenTwoFactor, seenUser } from '../../domain/last-seen/last-seen.ts'
import type { TwoFactorState } from '../../domain/two-factor/two-factor.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { LastSeen, lastSeenFile } from './last-seen-file.ts'

export interface LastSeenDependencies {
  readonly file: Folder['file']
  readonly clock: Clock
  readonly log: Log
}

export type LastSeenService = Awaited<ReturnType<typeof openLastSeen>>

/**
 * What the service said last of the account and of what is in it, for the window to show while the service is silent.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openLastSeen({ file, clock, log }: LastSeenDependencies, lifetime: Lifetime) {
  async function open<T>(name: string, content: z.ZodType<T>, most = 1): Promise<LastSeen<T>> {
    const opened = await openJsonFile({ ...file(name), ...lastSeenFile(content) })
    const lastSeen = new LastSeen<T>({ file: opened, most, clock, log })
    lifetime.follow((signal) => lastSeen.follow(signal))
    return lastSeen
  }
  const [account, twoFactor] = await Promise.all([
    open('last-account.json', seenUser),
    open('last-two-factor.json', seenTwoFactor),
  ])

  async function followAccount(state: Latest<AccountState>, signal: AbortSignal): Promise<void> {
    for await (const now of state.watch(signal)) {
      if (now.kind === 'none' || now.user === null || now.checkedAt === null || now.problem !== null) continue
      account.note({ seenAt: now.checkedAt, content: seenUser.parse(now.user) })
    }
  }

  async function followTwoFactor(state: Latest<TwoFactorState>, signal: AbortSignal): Promise<void> {
    for await (const { account: now } of state.watch(signal))
      if (now.kind === 'known') twoFactor.note({ seenAt: now.checkedAt, content: seenTwoFactor.parse(now) })
  }

  return { account, twoFactor, followAccount, followTwoFactor }
}
