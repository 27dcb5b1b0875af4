import { until } from '@vueuse/core'
import { computed, shallowRef, watch } from 'vue'
import { isSameJson } from '#domain/base/json-value.ts'
import type { OfferQuery } from '#domain/offers/offer.ts'
import type { UnreadableRecord } from '#domain/rental-api/unreadable-record.ts'
import { fromParts } from '#ipc/parts.ts'
import { client } from '#ipc/client.ts'
import { sortedTexts, withSeen, type SeenValues } from '#ui/filters/seen-values.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { painted, whenIdle } from '#ui/painted.ts'
import { useAction } from '#ui/use-action.ts'
import { firstAnswer, laterAnswer, withoutChanges, type FollowedOffers } from '../offer-changes.ts'
import { useDraft } from './use-draft.ts'

export interface Found extends FollowedOffers {
  /** What was asked, which need not be what is being edited now. */
  readonly query: OfferQuery
  /** When the service answered, ms since the epoch. */
  readonly at: number
  /** How many offers the last answer had; those that have gone are still among `offers`. */
  readonly answered: number
  /** Whether all of them are there: the first of many are shown before the others have come. */
  readonly isWhole: boolean
  /** Offers of the last answer that couldn't be read. */
  readonly unreadable: readonly UnreadableRecord[]
}

/** What the service is asked, or was asked last. */
interface Question {
  readonly query: OfferQuery
  /** The user has not looked since the last answer, so marks of what changed add up. */
  readonly keepsMarks: boolean
}

/**
 * The search for offers: what is asked for, what was found, and what has changed since.
 *
 * @param keepsOrder whether the first offers of an answer stay the first rows when the others come
 */
export function useSearch(keepsOrder: () => boolean) {
  const preferences = usePreferencesStore()
  const draft = useDraft()

  /** `null` before the first answer; a later failure keeps it. */
  const found = shallowRef<Found | null>(null)
  /** The last answer that came whole: what a newer one is compared with, and what stays when one breaks off. */
  let whole: Found | null = null
  function showWhole(answer: Found): void {
    whole = answer
    found.value = answer
  }
  const seen = shallowRef<SeenValues>(new Map())

  const searching = useAction(
    async ({ query, keepsMarks }: Question, signal: AbortSignal) => {
      const before = whole
      const isAgain = before !== null && isSameJson(before.query, query)
      try {
        const parts = await client.offers.search(query, { signal })
        const answer = await fromParts(parts, async ({ records, total, unreadable, at }) => {
          // What has gone or is new is known at the end.
          if (signal.aborted || isAgain || !keepsOrder()) return
          found.value = { ...firstAnswer(records), query, at, answered: total, isWhole: false, unreadable }
          await painted()
        })
        signal.throwIfAborted()
        const { records, total, unreadable, at } = answer
        const followed =
          // What isn't among them hasn't gone while one of them can't be read.
          isAgain && unreadable.length === 0
            ? laterAnswer(keepsMarks ? before : withoutChanges(before), records)
            : firstAnswer(records)
        showWhole({ ...followed, query, at, answered: total, isWhole: true, unreadable })
        whenIdle(() => (seen.value = withSeen(seen.value, records)))
      } catch (error) {
        // Another question has another answer, and until then the first rows of this one stay.
        if (signal.aborted) return
        found.value = before
        throw error
      }
    },
    { attempt: 'search', failure: 'in-place' },
  )
  const lastAsked = shallowRef<Question | null>(null)
  let asking = new AbortController()
  /** Asks the service; what is still on its way gives way to the newer question. */
  async function ask(question: Question): Promise<void> {
    asking.abort()
    const { signal } = (asking = new AbortController())
    lastAsked.value = question
    await until(searching.pending).toBe(false)
    if (!signal.aborted) await searching.run(question, signal)
  }
  const remembering = useAction((query: OfferQuery) => client.settings.update({ lastOfferQuery: query }), {
    attempt: 'save',
    inTurn: true,
  })

  async function search(): Promise<void> {
    if (!draft.asked.value.ok) return
    const { query } = draft.asked.value
    // What was found is not held up by what is written down.
    void remembering.run(query)
    await ask({ query, keepsMarks: false })
  }

  /**
   * The first look shows what the last search finds now: searching costs nothing. Nothing is asked before that search
   * is known. Resolves when it's under way: what then takes the page some time doesn't delay it.
   */
  async function beginFirstLook(): Promise<void> {
    if (preferences.preferences === null || found.value || searching.pending.value) return
    void search()
    // A call leaves the page a few microtasks later.
    await new Promise((resolve) => setTimeout(resolve))
  }

  /** Asks again for what is shown, whatever is being edited. `byClock`: not by the user. */
  async function refresh({ byClock = false } = {}): Promise<void> {
    if (found.value) await ask({ query: found.value.query, keepsMarks: byClock })
  }

  /** Asks once more what was asked last, whatever has been edited since. */
  async function retry(): Promise<void> {
    if (lastAsked.value) await ask(lastAsked.value)
  }

  function clearChanges(): void {
    if (found.value?.isWhole === true) showWhole({ ...found.value, ...withoutChanges(found.value) })
  }

  // The last search is offered again, unless the user was faster.
  watch(
    () => preferences.preferences?.lastOfferQuery,
    (last) => {
      if (last && !draft.wasEdited.value && !found.value) draft.start(last)
    },
    { immediate: true },
  )

  return {
    ...draft,
    found,
    /** Texts that a field had so far, sorted. */
    textsSeen: (field: string) => sortedTexts(seen.value.get(field)),
    /** Whether the shown offers are of another search than the one that is being edited. */
    isEdited: computed(
      () =>
        found.value !== null &&
        draft.asked.value.ok &&
        !isSameJson(found.value.query, draft.asked.value.query),
    ),
    isSearching: searching.pending,
    /** Whether the answer to exactly what is being edited is on its way. */
    isAsked: computed(
      () =>
        searching.pending.value &&
        draft.asked.value.ok &&
        isSameJson(lastAsked.value?.query, draft.asked.value.query),
    ),
    /** What the service was asked last. */
    askedQuery: computed(() => lastAsked.value?.query ?? null),
    problem: searching.problem,
    search,
    beginFirstLook,
    refresh,
    retry,
    clearChanges,
  }
}
