import { computed, type Ref } from 'vue'
import { canBeColumn, movedAmong, type ColumnsView } from '#domain/fields/columns-view.ts'
import type { FieldCatalogue } from '#domain/fields/field-catalogue.ts'
import type { Field, FieldRecord } from '#domain/fields/field-format.ts'
import { columnWidthsPx } from './column-width.ts'

/** The columns of a table: which, in which order, and how wide. */
export function useColumns({
  records,
  catalogue,
  view,
  show,
  change,
}: {
  readonly records: Readonly<Ref<readonly FieldRecord[]>>
  readonly catalogue: FieldCatalogue
  readonly view: Readonly<Ref<ColumnsView>>
  readonly show: (part: Partial<ColumnsView>) => void
  readonly change: (part: Partial<ColumnsView>) => void
}) {
  /** Every field that the records have and that can be a column. */
  const columns = computed(() => catalogue.present(records.value).filter(({ name }) => canBeColumn(name)))
  const isThere = computed(() => new Map(columns.value.map((field) => [field.name, field])))
  /** The wanted columns, also those that no record has at the moment. */
  const wanted = computed(
    () => view.value.columns ?? catalogue.fields.filter(({ shown }) => shown).map(({ name }) => name),
  )
  const visibleColumns = computed(() =>
    wanted.value
      .map((name) => isThere.value.get(name))
      .filter((field): field is Field => field !== undefined),
  )

  function showColumn(name: string, isShown: boolean): void {
    const others = wanted.value.filter((other) => other !== name)
    change({ columns: isShown ? [...others, name] : others })
  }
  /** @param to place among the visible columns */
  function moveColumn(name: string, to: number): void {
    change({ columns: movedAmong(wanted.value, (other) => isThere.value.has(other), name, to) })
  }
  /** @param isOngoing while it is dragged, in many small steps: only where it comes to rest is written */
  function resizeColumn(name: string, px: number, isOngoing = false): void {
    const widthPx = Math.round(Math.min(600, Math.max(40, px)))
    const part = { widthsPx: { ...view.value.widthsPx, [name]: widthPx } }
    if (isOngoing) show(part)
    else change(part)
  }
  /** Back to the width that its content asks for. */
  function fitColumn(name: string): void {
    const { [name]: _, ...others } = view.value.widthsPx
    change({ widthsPx: others })
  }

  const fitting = computed(() => columnWidthsPx(visibleColumns.value, records.value))
  const widthsPx = computed(() =>
    visibleColumns.value.map(({ name }) => view.value.widthsPx[name] ?? fitting.value.get(name) ?? 100),
  )
  /** Whether anything is not as it is without asking. */
  const areColumnsChanged = computed(
    () => view.value.columns !== null || Object.keys(view.value.widthsPx).length > 0,
  )

  return {
    columns,
    visibleColumns,
    columnWidthsPx: widthsPx,
    areColumnsChanged,
    showColumn,
    moveColumn,
    resizeColumn,
    fitColumn,
    resetColumns: () => change({ columns: null, widthsPx: {} }),
  }
}
