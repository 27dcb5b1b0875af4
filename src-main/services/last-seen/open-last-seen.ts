import type { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { Lifetime } from '../../domain/base/lifetime.ts'
import type { Log } from '../../domain/base/log.ts'
import type { CloudList } from '../../domain/cloud/cloud-connection.ts'
import type { Filters } from '../../domain/fields/filter.ts'
import { withoutSecrets } from '../../domain/fields/secret-field.ts'
import {
  mostSeen,
  seenCloud,
  seenOffers,
  seenTemplate,
  seenTemplates,
  seenTwoFactor,
  seenUser,
} from '../../domain/last-seen/last-seen.ts'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { UnreadableRecord } from '../../domain/rental-api/unreadable-record.ts'
import type { Template } from '../../domain/templates/template.ts'
import type { TwoFactorState } from '../../domain/two-factor/two-factor.ts'
import type { Folder } from '../storage/folder.ts'
import { openJsonFile } from '../storage/json-file.ts'
import { LastSeen, lastSeenFile } from './last-seen-file.ts'

export interface LastSeenDependencies {
  readonly file: Folder['file']
  readonly clock: Clock
  readonly log: Log
}

/** Searches for templates that are kept, each with its answer. */
const mostTemplateSearches = 6
/** Searches by these look for single templates, letter by letter. */
const namesOne = ['id', 'hash_id', 'name'] as const

/** An answer to a search for templates. */
export interface TemplatesAnswer {
  readonly templates: readonly Template[]
  readonly unreadable: readonly UnreadableRecord[]
}

/** An answer to a search for offers. */
export interface OffersAnswer {
  readonly offers: readonly Offer[]
  readonly unreadable: readonly UnreadableRecord[]
  /** ms since the epoch */
  readonly at: number
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
  const [account, twoFactor, templates, cloud, offers] = await Promise.all([
    open('last-account.json', seenUser),
    open('last-two-factor.json', seenTwoFactor),
    open('last-templates.json', seenTemplates, mostTemplateSearches),
    open('last-cloud.json', seenCloud),
    open('last-offers.json', seenOffers),
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

  return {
    account,
    twoFactor,
    cloud,
    offers,
    /** What was last found by exactly these filters. */
    templatesOf: (filters: Filters) => templates.find(JSON.stringify(filters)),
    followAccount,
    followTwoFactor,
    /** The same search, whose answers are kept. */
    notingTemplates:
      <A extends TemplatesAnswer>(search: (filters: Filters, signal?: AbortSignal) => Promise<A>) =>
      async (filters: Filters, signal?: AbortSignal): Promise<A> => {
        const answer = await search(filters, signal)
        if (!namesOne.some((field) => Object.hasOwn(filters, field))) {
          const kept = answer.templates.slice(0, mostSeen).map((one) => seenTemplate.parse(one))
          const content = { templates: kept, total: answer.templates.length + answer.unreadable.length }
          templates.note({ question: JSON.stringify(filters), seenAt: clock.now(), content })
        }
        return answer
      },
    /** The same, whose lists are kept. */
    notingCloud:
      (list: (signal?: AbortSignal) => Promise<CloudList>) =>
      async (signal?: AbortSignal): Promise<CloudList> => {
        const answer = await list(signal)
        const { connections, unreadable } = answer
        const content = {
          connections: connections.slice(0, mostSeen),
          total: connections.length + unreadable,
        }
        cloud.note({ seenAt: clock.now(), content })
        return answer
      },
    /** The same search, whose last answer is kept. */
    notingOffers:
      <A extends OffersAnswer>(search: (query: OfferQuery, signal?: AbortSignal) => Promise<A>) =>
      async (query: OfferQuery, signal?: AbortSignal): Promise<A> => {
        const answer = await search(query, signal)
        const kept = answer.offers.slice(0, mostSeen).map((one) => offer.parse(withoutSecrets(one)))
        const content = { query, offers: kept, total: answer.offers.length + answer.unreadable.length }
        offers.note({ seenAt: answer.at, content })
        return answer
      },
  }
}
