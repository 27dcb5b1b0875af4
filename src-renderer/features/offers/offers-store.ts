import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { sortedByField, type Sorting } from '#domain/field-catalogue.ts'
import { knownText } from '#domain/field-format.ts'
import { offerFields } from '#domain/offer-fields.ts'
import { draftOfQuery, queryOfDraft, type OfferDraft } from '#domain/offer-draft.ts'
import { defaultOfferQuery, type Offer, type OfferQuery } from '#domain/offer.ts'
import { client } from '#ipc/client.ts'
import { useAccountStore } from '#ui/stores/account.ts'
import { usePreferencesStore } from '#ui/stores/preferences.ts'
import { useAction } from '#ui/useAction.ts'

interface Found {
  readonly offers: readonly Offer[]
  /** What was asked, which need not be what is being edited now. */
  readonly query: OfferQuery
  /** When the service answered, ms since the epoch. */
  readonly at: number
}

/** The search for offers: what is asked for, what was found last, and how it is looked at. */
export const useOffersStore = defineStore('offers', () => {
  const preferences = usePreferencesStore()
  const account = useAccountStore()

  const draft = ref<OfferDraft>(draftOfQuery(defaultOfferQuery))
  const wasEdited = ref(false)
  const asked = computed(() => queryOfDraft(draft.value))
  /** `null` before the first answer; a later failure keeps it. */
  const found = shallowRef<Found | null>(null)
  const modelsSeen = shallowRef<readonly string[]>([])

  const searching = useAction(
    async (query: OfferQuery) => {
      const { offers, at } = await client.offers.search(query)
      found.value = { offers, query, at }
      const models = offers.map((offer) => knownText(offer['gpu_name'])).filter((model) => model !== null)
      modelsSeen.value = [...new Set([...modelsSeen.value, ...models])].toSorted().slice(0, 500)
    },
    { attempt: 'search', failure: 'in-place' },
  )
  const remembering = useAction((query: OfferQuery) => client.settings.update({ lastOfferQuery: query }), {
    attempt: 'save',
  })

  async function search(): Promise<void> {
    if (!asked.value.ok) return
    const { query } = asked.value
    await Promise.all([searching.run(query), remembering.run(query)])
  }

  function edit(change: Partial<OfferDraft>): void {
    wasEdited.value = true
    draft.value = { ...draft.value, ...change }
  }

  // The last search is offered again, unless the user was faster.
  watch(
    () => preferences.preferences?.lastOfferQuery,
    (last) => {
      if (last && !wasEdited.value) draft.value = draftOfQuery(last)
    },
    { immediate: true },
  )
  // Another account sees other offers.
  watch(
    () => account.connected?.accountId,
    () => (found.value = null),
  )

  const columns = computed(() => offerFields.present(found.value?.offers ?? []))
  /** Columns that the user has shown or hidden; the others are as the catalogue says. */
  const chosenColumns = ref<ReadonlyMap<string, boolean>>(new Map())
  const visibleColumns = computed(() =>
    columns.value.filter(({ name, shown }) => chosenColumns.value.get(name) ?? shown),
  )
  function showColumn(name: string, isShown: boolean): void {
    chosenColumns.value = new Map([...chosenColumns.value, [name, isShown]])
  }

  const sorting = shallowRef<Sorting | null>(null)
  const sortedOffers = computed(() => {
    const offers = found.value?.offers ?? []
    return sorting.value ? sortedByField(offers, sorting.value) : offers
  })
  /** Rising, falling, then the service's order again. */
  function sortBy(field: Sorting['field']): void {
    if (sorting.value?.field.name !== field.name) sorting.value = { field, direction: 'asc' }
    else sorting.value = sorting.value.direction === 'asc' ? { field, direction: 'desc' } : null
  }

  return {
    draft,
    asked,
    found,
    modelsSeen,
    isSearching: searching.pending,
    problem: searching.problem,
    edit,
    search,
    columns,
    visibleColumns,
    showColumn,
    sorting,
    sortedOffers,
    sortBy,
  }
})
