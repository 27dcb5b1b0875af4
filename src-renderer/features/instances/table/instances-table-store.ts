import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { defaultColumnsView, type ColumnsView } from '#domain/fields/columns-view.ts'
import { fieldOf, knownNumber, type Field } from '#domain/fields/field-format.ts'
import type { FiguresSummary } from '#domain/figures/figures-summary.ts'
import type { ListedInstance } from '#domain/instances/listed-instance.ts'
import { useInstancesStore } from '#shared/instances/instances-store.ts'
import { usePreferencesStore } from '#shared/settings/preferences-store.ts'
import { useSshStore } from '#shared/ssh/ssh-store.ts'
import { quickFilter } from '#ui/table/quick-filter.ts'
import { useColumns } from '#ui/table/use-columns.ts'
import { useSelection } from '#ui/table/use-selection.ts'
import { useSorting } from '#ui/table/use-sorting.ts'
import { useKeptView } from '#ui/use-kept-view.ts'
import {
  cellText,
  instanceColumns,
  instanceColumnWidthsPx,
  isFigure,
  sortValue,
  type CellContext,
} from './instance-columns.ts'

/** Found by these as well, whether they are columns or not. */
const alwaysFound = instanceColumns.fields.filter(({ name }) => ['state', 'label', 'gpu_name'].includes(name))
const idFields = ['machine_id', 'host_id']

/** How the list of instances is looked at: columns, order, what is found and what is selected. */
export const useInstancesTableStore = defineStore('instances-table', () => {
  const list = useInstancesStore()
  const preferences = usePreferencesStore()
  const ssh = useSshStore()
  const all = computed(() => list.instances ?? [])
  /** As they come, for the rows that are seen. */
  const summaries = shallowRef<ReadonlyMap<number, FiguresSummary>>(new Map())
  const ordering = shallowRef(summaries.value)
  /** Time goes on in the rows. Found and ordered they are as of the list, or rows would move by themselves. */
  const asListed = (): CellContext => ({
    now: list.snapshot?.fetchedAt ?? 0,
    addressOf: ssh.addressOf,
    figuresOf: ({ id }) => ordering.value.get(id),
  })
  const textOf = (field: Field, instance: ListedInstance): string => cellText(field, instance, asListed())

  const { view, show, change } = useKeptView<ColumnsView>({
    kept: () => preferences.preferences?.instanceView,
    initial: defaultColumnsView,
    change: (instanceView) => ({ instanceView }),
  })
  const columns = useColumns({
    rows: all,
    catalog: instanceColumns,
    textOf,
    fixedWidthsPx: instanceColumnWidthsPx,
    view,
    show,
    change,
  })

  const quickText = ref('')
  const quick = computed(() => {
    const fields = [...new Set([...columns.visibleColumns.value, ...alwaysFound])].filter(
      (field) => !isFigure(field),
    )
    return quickFilter<ListedInstance>((instance) => [
      ...fields.map((field) => textOf(field, instance)),
      String(instance.id),
      ...idFields.map((name) => String(knownNumber(fieldOf(instance.record, name)) ?? '')),
    ])
  })
  const onlyIdle = ref(false)
  /** What leaves these is deselected: a stop for idle instances isn't one for those that have work again. */
  const offered = computed(() =>
    onlyIdle.value ? all.value.filter(({ id }) => ordering.value.get(id)?.isIdle === true) : all.value,
  )
  const found = computed(() =>
    quickText.value.trim() === '' ? offered.value : offered.value.filter(quick.value(quickText.value)),
  )
  const sorting = useSorting(found, (instance, name) => sortValue(instance, name, asListed()))
  watch(
    [() => list.snapshot?.fetchedAt, sorting.sorting, onlyIdle, summaries],
    ([, , , next], [, , , last]) => {
      // By each list, and by the first figures.
      if (next === last || ordering.value.size === 0) ordering.value = next
    },
  )
  const { selectedRows, wantedRow, ...selection } = useSelection({ all: offered, rows: sorting.rows })

  return {
    ...columns,
    ...sorting,
    ...selection,
    wantedRow,
    /** Brings a row into sight, with the keyboard on it, now or when the list is shown again. */
    goTo: (id: number) => (wantedRow.value = id),
    selectedInstances: selectedRows,
    quickText,
    /** Only instances that run, and so are paid for, while none of their GPUs is in use. */
    onlyIdle,
    summaries,
    showFigures: (all: readonly FiguresSummary[]) =>
      (summaries.value = new Map(all.map((one) => [one.instanceId, one]))),
  }
})
