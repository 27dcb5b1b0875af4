import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { fieldOf, fieldText } from '#domain/fields/field-format.ts'
import { operatorsFor } from '#domain/fields/filter.ts'
import { offerFields } from '#domain/offers/offer-fields.ts'
import { defaultOfferView, type OfferView } from '#domain/offers/offer-view.ts'
import type { Offer } from '#domain/offers/offer.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import type { FilterFields } from '#ui/filters/filter-fields.ts'
import { quickFilter, recordTexts } from '#ui/table/quick-filter.ts'
import { useColumns } from '#ui/table/use-columns.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { useSorting } from '#ui/table/use-sorting.ts'
import { useKeptView } from '#ui/use-kept-view.ts'
import { useOfferListsStore } from './lists-store.ts'
import { useSearch } from './search/use-search.ts'

/** Found by these as well, whether they are columns or not: they are what one has at hand. */
const idFields = ['id', 'machine_id', 'host_id']

/** The search for offers, what was found, and how it is looked at. */
export const useOffersStore = defineStore('offers', () => {
  const preferences = usePreferencesStore()
  const lists = useOfferListsStore()
  const quickText = ref('')
  const onlyFavorites = ref(false)
  const search = useSearch(
    () => sorting.sorting.value === null && quickText.value.trim() === '' && !onlyFavorites.value,
  )
  const { found } = search
  const all = computed<readonly Offer[]>(() => found.value?.offers ?? [])
  /** Columns, pauses between refreshes, the plot; every change is remembered. */
  const { view, show, change } = useKeptView<OfferView>({
    kept: () => preferences.preferences?.offerView,
    initial: defaultOfferView,
    change: (offerView) => ({ offerView }),
  })
  const columns = useColumns({
    rows: all,
    catalog: offerFields,
    textOf: fieldText,
    view,
    show,
    change,
  })
  /** What the filters and the order can be about. */
  const filterFields = computed((): FilterFields => ({
    catalog: offerFields,
    present: columns.columns.value,
    takesOtherNames: true,
    operatorsFor,
    textsSeen: search.textsSeen,
  }))

  const showsBlocked = ref(false)
  /** Offers to which the table is narrowed, by a lasso or as they were selected; `null` for all. */
  const narrowedTo = shallowRef<ReadonlySet<number> | null>(null)
  const quick = computed(() => quickFilter<Offer>(recordTexts(columns.visibleColumns.value, idFields)))

  const blocked = computed(
    () => new Set(all.value.filter((offer) => lists.blockOf(offer) !== null).map(({ id }) => id)),
  )
  /** The offers that fit what the table is filtered by, but for what was chosen beside it: what the plot shows. */
  const plottedOffers = computed(() => {
    const hasWords = quick.value(quickText.value)
    return all.value.filter(
      (offer) =>
        (showsBlocked.value || !blocked.value.has(offer.id)) &&
        (!onlyFavorites.value || lists.favoriteOf(offer) !== null) &&
        hasWords(offer),
    )
  })
  /** The offers that fit all that the table is filtered by, in the order of the search. */
  const filteredOffers = computed(() => {
    const chosen = narrowedTo.value
    return chosen === null ? plottedOffers.value : plottedOffers.value.filter(({ id }) => chosen.has(id))
  })
  const sorting = useSorting(filteredOffers, fieldOf)
  const { selectedRows, ...selection } = useSelection({
    all,
    isWhole: () => found.value?.isWhole !== false,
    rows: sorting.rows,
  })

  /** Whether the last answer did not have it any more. */
  function isGone({ id }: Offer): boolean {
    return found.value?.changes.get(id)?.kind === 'gone'
  }

  // Another search is looked at afresh.
  watch(
    () => found.value?.query,
    () => (narrowedTo.value = null),
  )

  return {
    ...search,
    view,
    setRefreshSeconds: (refreshSeconds: number) => change({ refreshSeconds }),
    setPlot: (part: Partial<OfferView['plot']>) => change({ plot: { ...view.value.plot, ...part } }),
    ...columns,
    ...sorting,
    ...selection,
    filterFields,
    quickText,
    onlyFavorites,
    showsBlocked,
    narrowedTo,
    blocked,
    plottedOffers,
    selectedOffers: selectedRows,
    isGone,
  }
})
