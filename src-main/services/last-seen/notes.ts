import type { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import type { Latest } from '../../domain/base/latest.ts'
import type { CloudList } from '../../domain/cloud/cloud-connection.ts'
import type { Filters } from '../../domain/fields/filter.ts'
import { withoutSecrets } from '../../domain/fields/secret-field.ts'
import {
  mostSeen,
  seenTemplate,
  seenTwoFactor,
  seenUser,
  type seenCloud,
  type seenOffers,
  type seenTemplates,
} from '../../domain/last-seen/last-seen.ts'
import { offer, type Offer, type OfferQuery } from '../../domain/offers/offer.ts'
import type { RecordList } from '../../domain/rental-api/unreadable-record.ts'
import type { Template } from '../../domain/templates/template.ts'
import type { TwoFactorState } from '../../domain/two-factor/two-factor.ts'
import type { LastSeen } from './last-seen-file.ts'

export interface NotesOptions {
  readonly account: LastSeen<z.infer<typeof seenUser>>
  readonly twoFactor: LastSeen<z.infer<typeof seenTwoFactor>>
  readonly templates: LastSeen<z.infer<typeof seenTemplates>>
  readonly cloud: LastSeen<z.infer<typeof seenCloud>>
  readonly offers: LastSeen<z.infer<typeof seenOffers>>
  readonly clock: Clock
}

/** An answer to a search for offers. */
export interface OffersAnswer extends RecordList<Offer> {
  /** ms since the epoch */
  readonly at: number
}

/** Searches by these look for single templates, letter by letter. */
const namesOne = ['id', 'hash_id', 'name'] as const

/** Under which question the answer to a search for templates is kept. */
export function questionOf(filters: Filters): string {
  return JSON.stringify(filters)
}

/** What is kept of the service's answers, as they come. */
export function createNotes({ account, twoFactor, templates, cloud, offers, clock }: NotesOptions) {
  return {
    followAccount: async (state: Latest<AccountState>, signal: AbortSignal): Promise<void> => {
      for await (const now of state.watch(signal)) {
        if (now.kind === 'none' || now.user === null || now.checkedAt === null || now.problem !== null)
          continue
        account.note({ seenAt: now.checkedAt, content: seenUser.parse(now.user) })
      }
    },
    followTwoFactor: async (state: Latest<TwoFactorState>, signal: AbortSignal): Promise<void> => {
      for await (const { account: now } of state.watch(signal)) {
        // Methods that can't be read would be missing from what is kept, and from their count.
        if (now.kind !== 'known' || now.unreadable.length > 0) continue
        twoFactor.note({ seenAt: now.checkedAt, content: seenTwoFactor.parse(now) })
      }
    },
    noteTemplates: (filters: Filters, answer: RecordList<Template>): void => {
      if (namesOne.some((field) => Object.hasOwn(filters, field))) return
      const kept = answer.records.slice(0, mostSeen).map((one) => seenTemplate.parse(one))
      const content = { templates: kept, total: answer.records.length + answer.unreadable.length }
      templates.note({ question: questionOf(filters), seenAt: clock.now(), content })
    },
    noteCloud: ({ connections, unreadable }: CloudList): void => {
      const content = {
        connections: connections.slice(0, mostSeen),
        total: connections.length + unreadable,
      }
      cloud.note({ seenAt: clock.now(), content })
    },
    noteOffers: (query: OfferQuery, answer: OffersAnswer): void => {
      const kept = answer.records.slice(0, mostSeen).map((one) => offer.parse(withoutSecrets(one)))
      const content = { query, offers: kept, total: answer.records.length + answer.unreadable.length }
      offers.note({ seenAt: answer.at, content })
    },
  }
}
