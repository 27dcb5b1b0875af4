import type { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { Filters } from '../../domain/fields/filter.ts'
import {
  seenCloud,
  seenOffers,
  seenTemplates,
  seenTwoFactor,
  seenUser,
} from '../../domain/last-seen/last-seen.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { LastSeen, lastSeenFile } from './last-seen-file.ts'
import { createNotes, questionOf } from './notes.ts'

export interface LastSeenDependencies {
  readonly file: Folder['file']
  readonly account: Latest<AccountState>
  readonly clock: Clock
  readonly log: Log
}

/** Searches for templates that are kept, each with its answer. */
const mostTemplateSearches = 6

export type LastSeenService = Awaited<ReturnType<typeof openLastSeen>>

/**
 * What the service said last of the account and of what is in it, for the window to show while the service is silent.
 *
 * @throws ProblemError storage-failed, as `openJsonFile` does
 */
export async function openLastSeen({ file, account, clock, log }: LastSeenDependencies, lifetime: Lifetime) {
  async function open<T>(name: string, content: z.ZodType<T>, most = 1): Promise<LastSeen<T>> {
    const opened = await openJsonFile({ ...file(name), ...lastSeenFile(content) })
    const lastSeen = new LastSeen<T>({ file: opened, most, clock, log })
    lifetime.follow((signal) => lastSeen.follow(signal))
    return lastSeen
  }
  const [user, twoFactor, templates, cloud, offers] = await Promise.all([
    open('last-account.json', seenUser),
    open('last-two-factor.json', seenTwoFactor),
    open('last-templates.json', seenTemplates, mostTemplateSearches),
    open('last-cloud.json', seenCloud),
    open('last-offers.json', seenOffers),
  ])
  const files = { account: user, twoFactor, templates, cloud, offers }
  const { followAccount, ...notes } = createNotes({ ...files, clock })
  lifetime.follow((signal) => followAccount(account, signal))
  return {
    ...files,
    /** What was last found by exactly these filters. */
    templatesOf: (filters: Filters) => templates.find(questionOf(filters)),
    ...notes,
  }
}
