import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { sortedByField, type Sorting } from '#domain/field-catalogue.ts'
import type { Offer } from '#domain/offer.ts'
import { areAll, extendedTo, keptRows, noRows, toggled, toggledAll } from '#ui/row-selection.ts'
import { useOfferListsStore } from './lists-store.ts'
import { useSearch } from './search/use-search.ts'
import { quickFilter } from './table/quick-filter.ts'
import { useColumns } from './table/use-columns.ts'
import { useOfferView } from './use-offer-view.ts'

/** The search for offers, what was found, and how it is looked at. */
export const useOffersStore = defineStore('offers', () => {
  const lists = useOfferListsStore()
  const search = useSearch()
  const { found } = search
  const all = computed<readonly Offer[]>(() => found.value?.offers ?? [])
  const { show: showView, change: changeView, ...view } = useOfferView()
  const columns = useColumns({ offers: all, view: view.view, show: showView, change: changeView })

  const quickText = ref('')
  const onlyFavourites = ref(false)
  const showsBlocked = ref(false)
  /** Offers that something beside the table has chosen, such as a lasso; `null` for all. */
  const narrowedTo = shallowRef<ReadonlySet<number> | null>(null)
  const quick = computed(() => quickFilter(columns.visibleColumns.value))

  const blocked = computed(
    () => new Set(all.value.filter((offer) => lists.blockOf(offer) !== null).map(({ id }) => id)),
  )
  /** The offers that fit what the table is filtered by, but for what was chosen beside it: what the plot shows. */
  const plottedOffers = computed(() => {
    const hasWords = quick.value(quickText.value)
    return all.value.filter(
      (offer) =>
        (showsBlocked.value || !blocked.value.has(offer.id)) &&
        (!onlyFavourites.value || lists.favouriteOf(offer) !== null) &&
        hasWords(offer),
    )
  })
  /** The offers that fit all that the table is filtered by, in the order of the search. */
  const filteredOffers = computed(() => {
    const chosen = narrowedTo.value
    return chosen === null ? plottedOffers.value : plottedOffers.value.filter(({ id }) => chosen.has(id))
  })

  const sorting = shallowRef<Sorting | null>(null)
  /** The rows of the table. */
  const rows = computed(() =>
    sorting.value ? sortedByField(filteredOffers.value, sorting.value) : filteredOffers.value,
  )
  /** Rising, falling, then the service's order again. */
  function sortBy(field: Sorting['field']): void {
    if (sorting.value?.field.name !== field.name) sorting.value = { field, direction: 'asc' }
    else sorting.value = sorting.value.direction === 'asc' ? { field, direction: 'desc' } : null
  }

  const selection = shallowRef(noRows)
  const selected = computed(() => selection.value.ids)
  const selectedOffers = computed(() => all.value.filter(({ id }) => selected.value.has(id)))
  const shownIds = computed(() => rows.value.map(({ id }) => id))
  const isAllSelected = computed(() => selected.value.size > 0 && areAll(selected.value, shownIds.value))

  /** Whether the last answer did not have it any more. */
  function isGone({ id }: Offer): boolean {
    return found.value?.changes.get(id)?.kind === 'gone'
  }

  /** The row that something beside the table wants to be seen; the table goes there and takes it away. */
  const wantedRow = shallowRef<number | null>(null)

  watch(all, () => {
    const ids = new Set(all.value.map(({ id }) => id))
    selection.value = keptRows(selection.value, (id) => ids.has(id))
  })
  // Another search is looked at afresh.
  watch(
    () => found.value?.query,
    () => (narrowedTo.value = null),
  )

  return {
    ...search,
    ...view,
    ...columns,
    quickText,
    onlyFavourites,
    showsBlocked,
    narrowedTo,
    blocked,
    plottedOffers,
    rows,
    sorting,
    sortBy,
    selected,
    selectedOffers,
    isAllSelected,
    isGone,
    wantedRow,
    select: (ids: Iterable<number>) => (selection.value = { ids: new Set(ids), anchor: null }),
    toggleRow: (id: number) => (selection.value = toggled(selection.value, id)),
    extendTo: (id: number) => (selection.value = extendedTo(selection.value, id, shownIds.value)),
    toggleAllRows: () => (selection.value = toggledAll(selection.value, shownIds.value)),
    clearSelection: () => (selection.value = noRows),
    /** Selects one offer and brings it into sight. */
    show: (id: number) => {
      selection.value = { ids: new Set([id]), anchor: id }
      wantedRow.value = id
    },
  }
})
