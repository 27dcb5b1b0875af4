import type { Sorting } from '#domain/fields/field-catalog.ts'
import type { Field } from '#domain/fields/field-format.ts'

/** What a {@link TableBar} shows and does: a store that is put together from `useColumns`. */
export interface ColumnsModel {
  /** What is left of them by what is typed and whatever else the table is filtered by. */
  readonly rows: readonly unknown[]
  readonly columns: readonly Field[]
  readonly visibleColumns: readonly Field[]
  readonly columnWidthsPx: readonly number[]
  readonly areColumnsChanged: boolean
  readonly showColumn: (name: string, isShown: boolean) => void
  readonly moveColumn: (name: string, to: number) => void
  readonly resizeColumn: (name: string, px: number) => void
  readonly resetColumns: () => void
}

/** What a {@link DataTable} shows and does: a store that is put together from `useColumns`, `useSorting` and `useSelection`. */
export interface TableModel<T extends { readonly id: number }> {
  /** In the order in which they are shown. */
  readonly rows: readonly T[]
  readonly visibleColumns: readonly Field[]
  /** Widths of the columns in pixels, in their order. */
  readonly columnWidthsPx: readonly number[]
  readonly sorting: Sorting | null
  readonly sortBy: (field: Field) => void
  readonly moveColumn: (name: string, to: number) => void
  readonly resizeColumn: (name: string, px: number, isOngoing: boolean) => void
  readonly fitColumn: (name: string) => void
  readonly selected: ReadonlySet<number>
  readonly isAllSelected: boolean
  readonly toggleRow: (id: number) => void
  readonly extendTo: (id: number) => void
  readonly toggleAllRows: () => void
  readonly clearSelection: () => void
  /** The row that something beside the table wants to be seen; `null` for none. */
  readonly wantedRow: number | null
  /** It is in sight now. */
  readonly forgetWantedRow: () => void
}
