import { computed, type Ref } from 'vue'
import { canBeColumn, movedAmong, type ColumnsView } from '#domain/fields/columns-view.ts'
import type { Field } from '#domain/fields/field-format.ts'
import { columnWidthsPx } from './column-width.ts'

/** What may be a column of rows of a kind. */
export interface ColumnCatalog<T> {
  /** Those that are `shown` are columns without asking. */
  readonly fields: readonly Field[]
  /** The fields that at least one of the rows has. */
  present(rows: readonly T[]): readonly Field[]
}

/** The columns of a table: which, in which order, and how wide. */
export function useColumns<T>({
  rows,
  catalog,
  textOf,
  fixedWidthsPx = {},
  view,
  show,
  change,
}: {
  readonly rows: Readonly<Ref<readonly T[]>>
  readonly catalog: ColumnCatalog<T>
  /** What a row shows in a column, which says how wide that has to be. */
  readonly textOf: (field: Field, row: T) => string
  /** Of columns that must not change with what they show, as long as nobody resizes them. */
  readonly fixedWidthsPx?: Readonly<Record<string, number>>
  readonly view: Readonly<Ref<ColumnsView>>
  readonly show: (part: Partial<ColumnsView>) => void
  readonly change: (part: Partial<ColumnsView>) => void
}) {
  /** Every field that the rows have and that can be a column. */
  const columns = computed(() => catalog.present(rows.value).filter(({ name }) => canBeColumn(name)))
  const isThere = computed(() => new Map(columns.value.map((field) => [field.name, field])))
  /** The wanted columns, also those that no row has at the moment. */
  const wanted = computed(
    () => view.value.columns ?? catalog.fields.filter(({ shown }) => shown).map(({ name }) => name),
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

  const fitting = computed(() => {
    const fields = visibleColumns.value.filter(({ name }) => fixedWidthsPx[name] === undefined)
    return columnWidthsPx(fields, rows.value, textOf)
  })
  const widthsPx = computed(() =>
    visibleColumns.value.map(
      ({ name }) => view.value.widthsPx[name] ?? fixedWidthsPx[name] ?? fitting.value.get(name) ?? 100,
    ),
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
