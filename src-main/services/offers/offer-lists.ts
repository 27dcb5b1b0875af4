import { z } from 'zod'
import { qualifiedUserId } from '../../domain/base/account-identity.ts'
import { stepFrom, type VersionStep } from '../../domain/base/file-version.ts'
import { Latest } from '../../domain/base/latest.ts'
import {
  emptyOfferLists,
  formerOfferLists,
  offerLists,
  withMark,
  withoutMark,
  withoutSearch,
  withSearch,
  type MarkList,
  type OfferLists,
  type SavedSearch,
} from '../../domain/offers/offer-lists.ts'
import type { MarkTarget } from '../../domain/offers/offer-mark.ts'
import { openJsonFile, type JsonFilePlace, type JsonFileShape } from '../storage/json-file.ts'

/** The account's favorites, blocks and saved searches, lasting. Changes are on the disk when they resolve. */
export interface OfferListsFile {
  readonly latest: Latest<OfferLists>
  /** @throws ProblemError storage-failed; nothing is changed then */
  readonly mark: (list: MarkList, target: MarkTarget & { readonly title: string }) => Promise<void>
  readonly unmark: (list: MarkList, target: MarkTarget) => Promise<void>
  /** Saves under its id, or under a new one where there is none. Returns the id. */
  readonly saveSearch: (search: Omit<SavedSearch, 'id'> & { readonly id: string | null }) => Promise<string>
  readonly removeSearch: (id: string) => Promise<void>
  /** Changes all of them at once. */
  readonly change: (make: (lists: OfferLists) => OfferLists) => Promise<void>
}

const listsOfAccounts = z.array(
  z.object({ serviceAddress: z.string().min(1), userId: z.number(), lists: z.unknown() }),
)
const toOwn: VersionStep = (content, isOwn) => {
  const parsed = listsOfAccounts.safeParse(content)
  return parsed.success
    ? (parsed.data.find((one) => isOwn(qualifiedUserId(one)))?.lists ?? emptyOfferLists)
    : content
}

export const offerListsFile: JsonFileShape<OfferLists> = {
  schema: offerLists,
  steps: [toOwn, stepFrom(formerOfferLists)],
  fallback: emptyOfferLists,
}

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openOfferLists({
  randomId,
  ...place
}: JsonFilePlace & { readonly randomId: () => string }): Promise<OfferListsFile> {
  const file = await openJsonFile({ ...place, ...offerListsFile })
  const latest = new Latest(file.value)

  async function change(make: (lists: OfferLists) => OfferLists): Promise<void> {
    latest.set(await file.update(make))
  }

  return {
    latest,
    change,
    mark: (list, { kind, id, title }) =>
      change((lists) => withMark(lists, list, { kind, id, title, at: place.clock.now() })),
    unmark: (list, target) => change((lists) => withoutMark(lists, list, target)),
    saveSearch: async ({ id, name, query }) => {
      const search = { id: id ?? randomId(), name, query }
      await change((lists) => withSearch(lists, search))
      return search.id
    },
    removeSearch: (id) => change((lists) => withoutSearch(lists, id)),
  }
}
