import { z } from 'zod'
import type { AccountState } from '../../domain/accounts/account.ts'
import type { Clock } from '../../domain/base/clock.ts'
import { Latest } from '../../domain/base/latest.ts'
import {
  emptyOfferLists,
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
import { ProblemError } from '../../domain/base/problem.ts'
import { openJsonFile, type StorageNotice } from '../storage/json-file.ts'

/** Favourites, blocks and saved searches of the account in use, lasting. Changes are on the disk when they resolve. */
export interface OfferListsFile {
  readonly latest: Latest<OfferLists>
  /** @throws ProblemError storage-failed, no-account; nothing is changed then */
  readonly mark: (list: MarkList, target: MarkTarget & { readonly title: string }) => Promise<void>
  readonly unmark: (list: MarkList, target: MarkTarget) => Promise<void>
  /** Saves under its id, or under a new one where there is none. Returns the id. */
  readonly saveSearch: (search: Omit<SavedSearch, 'id'> & { readonly id: string | null }) => Promise<string>
  readonly removeSearch: (id: string) => Promise<void>
  /** Changes all of them at once. */
  readonly change: (make: (lists: OfferLists) => OfferLists) => Promise<void>
  /** Keeps `latest` with the account in use. Ends when the signal is aborted. */
  readonly follow: (signal: AbortSignal) => Promise<void>
}

/** The account as the service knows it: a new key for it does not lose its lists. */
const owner = z.object({ serviceAddress: z.string().min(1), userId: z.number() })
type Owner = z.infer<typeof owner>
const listsOfAccounts = z.array(owner.extend({ lists: offerLists })).readonly()
type ListsOfAccounts = z.infer<typeof listsOfAccounts>

/** @throws ProblemError storage-failed, as `openJsonFile` does */
export async function openOfferLists({
  account,
  randomId,
  ...options
}: {
  readonly path: string
  readonly clock: Clock
  readonly onNotice: (notice: StorageNotice) => void
  readonly account: Latest<AccountState>
  readonly randomId: () => string
}): Promise<OfferListsFile> {
  const file = await openJsonFile<ListsOfAccounts>({
    ...options,
    schema: listsOfAccounts,
    fallback: [],
  })
  const latest = new Latest(listsOf(file.value, ownerOf(account.value)))

  async function change(make: (lists: OfferLists) => OfferLists): Promise<void> {
    const mine = ownerOf(account.value)
    if (mine === null) throw new ProblemError({ kind: 'no-account' })
    const next = await file.update((all) => [
      ...all.filter((one) => !isSameOwner(one, mine)),
      { ...mine, lists: make(listsOf(all, mine)) },
    ])
    if (isSameOwner(ownerOf(account.value), mine)) latest.set(listsOf(next, mine))
  }

  async function follow(signal: AbortSignal): Promise<void> {
    let current = ownerOf(account.value)
    for await (const state of account.watch(signal)) {
      const next = ownerOf(state)
      if (isSameOwner(next, current)) continue
      current = next
      latest.set(listsOf(file.value, next))
    }
  }

  return {
    latest,
    follow,
    change,
    mark: (list, { kind, id, title }) =>
      change((lists) => withMark(lists, list, { kind, id, title, at: options.clock.now() })),
    unmark: (list, target) => change((lists) => withoutMark(lists, list, target)),
    saveSearch: async ({ id, name, query }) => {
      const search = { id: id ?? randomId(), name, query }
      await change((lists) => withSearch(lists, search))
      return search.id
    },
    removeSearch: (id) => change((lists) => withoutSearch(lists, id)),
  }
}

function ownerOf(state: AccountState): Owner | null {
  return state.kind === 'connected' ? { serviceAddress: state.serviceAddress, userId: state.userId } : null
}

function listsOf(all: ListsOfAccounts, mine: Owner | null): OfferLists {
  return all.find((one) => isSameOwner(one, mine))?.lists ?? emptyOfferLists
}

function isSameOwner(one: Owner | null, other: Owner | null): boolean {
  return one?.serviceAddress === other?.serviceAddress && one?.userId === other?.userId
}
